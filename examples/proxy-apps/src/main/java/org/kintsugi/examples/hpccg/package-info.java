/**
 * HPCCG: unpreconditioned conjugate gradients on a 27-point operator. {@link org.kintsugi.examples.hpccg.Hpccg} is the program; a
 * pass of the solver is {@code ConjugateGradient.pass}.
 */
package org.kintsugi.examples.hpccg;
