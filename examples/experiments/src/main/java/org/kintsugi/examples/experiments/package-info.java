// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * The experiments of the papers: designs of fault tolerance side by side, measured in the same way, by turns.
 *
 * <p>{@code Catalog} knows the designs, engines and applications. {@code Experiment} reads an experiment's file and makes the
 * list of its runs ({@code PlannedRun}). {@code JobRun} makes one of them, {@code RunLog} keeps the results, a line each, and
 * {@code Report} makes a page of them.
 */
package org.kintsugi.examples.experiments;
