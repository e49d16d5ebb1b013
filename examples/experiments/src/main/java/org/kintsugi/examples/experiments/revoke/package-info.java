// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/** The benchmark of "Plan B: Interruption of Ongoing MPI Operations to Support Failure Recovery", in Java and in C. */
package org.kintsugi.examples.experiments.revoke;
