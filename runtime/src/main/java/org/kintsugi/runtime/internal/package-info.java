/**
 * The protocol between the launcher and the ranks of its job, which programs do not use: the lines and files that they exchange,
 * the names of the properties and variables that are set at the start, the folders in which native builds are looked for.
 */
package org.kintsugi.runtime.internal;
