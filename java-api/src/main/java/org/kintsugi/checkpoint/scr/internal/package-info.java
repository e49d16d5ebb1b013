/** The engine {@code scr}. */
package org.kintsugi.checkpoint.scr.internal;
