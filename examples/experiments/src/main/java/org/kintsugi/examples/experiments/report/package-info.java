// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** The page that is made of an experiment's results: figures as in the paper, tables, and what became of the paper's claims. */
package org.kintsugi.examples.experiments.report;
