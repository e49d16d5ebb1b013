/** What a Reinit run may do with {@code org.kintsugi.checkpoint} and programs may not. Internal. */
package org.kintsugi.checkpoint.access;
