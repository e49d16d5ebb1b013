/** The engine that keeps versions in files. */
package org.kintsugi.checkpoint.internal.files;
