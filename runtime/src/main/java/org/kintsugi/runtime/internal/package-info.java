/**
 * What the launcher and the ranks of its job agree on, and programs have no business with: the lines and files by which they talk
 * to each other, the names of what is handed over at the start, the folders in which native builds are looked for.
 */
package org.kintsugi.runtime.internal;
