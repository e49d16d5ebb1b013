// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** The experiments of "Data Persistency for Fault-Tolerance Using MPI Semantics": what persisting costs, and whether it helps. */
package org.kintsugi.examples.experiments.persist;
