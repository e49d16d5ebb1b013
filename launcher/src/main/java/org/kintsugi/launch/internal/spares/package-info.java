/** New processes in place of failed ones. */
package org.kintsugi.launch.internal.spares;
