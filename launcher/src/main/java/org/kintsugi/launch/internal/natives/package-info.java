/** The native libraries and the archive of classes that ranks get, and the build of a site's own libraries. */
package org.kintsugi.launch.internal.natives;
