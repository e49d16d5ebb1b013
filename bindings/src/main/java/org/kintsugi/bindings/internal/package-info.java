/** What the generated classes need at run time. The one package here that is written by hand. */
package org.kintsugi.bindings.internal;
