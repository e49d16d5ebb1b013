/** HPCCG: unpreconditioned conjugate gradients on a 27-point operator. Specification: the project's specs/hpccg.md. */
package org.kintsugi.examples.hpccg;
