/**
 * CoMD: classical molecular dynamics of a copper crystal, with atoms in cells. {@link org.kintsugi.examples.comd.Comd} is the
 * program; a time step is {@code Dynamics.step}.
 */
package org.kintsugi.examples.comd;
