/** Figures of the original applications, and how near a result has to come to them. */
package org.kintsugi.examples.reference;
