/** All protected variables of a process as one sequence of bytes. */
package org.kintsugi.checkpoint.internal.image;
