/** How persistent communicators follow the epochs of a Reinit run. Knows nothing of the package above it. */
package org.kintsugi.persist.internal;
