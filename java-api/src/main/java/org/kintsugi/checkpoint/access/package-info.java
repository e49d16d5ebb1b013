/** Operations on {@code org.kintsugi.checkpoint} for a Reinit run only, not for programs. Internal. */
package org.kintsugi.checkpoint.access;
