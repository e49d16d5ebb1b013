// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * AMG: GMRES, or conjugate gradients, preconditioned by algebraic multigrid on a 27-point operator. {@link
 * org.kintsugi.examples.amg.Amg} is the program; {@code Hierarchy} has the levels and the cycle over them, {@code Gmres} the
 * steps of the solver.
 */
package org.kintsugi.examples.amg;
