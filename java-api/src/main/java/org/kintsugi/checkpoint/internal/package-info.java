/** How versions are composed, named and kept; for the engines of this project, not for programs. */
package org.kintsugi.checkpoint.internal;
