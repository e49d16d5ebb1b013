// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
/**
 * AMG: GMRES, or conjugate gradients, preconditioned by algebraic multigrid on a 27-point operator. Specification: the project's
 * specs/amg.md.
 */
package org.kintsugi.examples.amg;
