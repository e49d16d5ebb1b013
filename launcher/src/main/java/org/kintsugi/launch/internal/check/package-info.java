/** The comparison of the calls and messages of ranks ({@code --check}). */
package org.kintsugi.launch.internal.check;
