/** The commands jmpirun and kintsugi, and jobs from Java. */
package org.kintsugi.launch;
