/** The variables that a program protects, and how each kind is copied. */
package org.kintsugi.checkpoint.internal.protection;
