/** Figures: what the benchmarks and the series record in {@code docs/figures}, and the page that is made from it. */
package org.kintsugi.ci.figures;
