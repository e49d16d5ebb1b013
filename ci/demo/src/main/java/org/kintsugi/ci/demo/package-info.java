/** The demonstration of {@code make demo}. */
package org.kintsugi.ci.demo;
