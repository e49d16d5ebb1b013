/** Support for the generated classes at run time. The one package here that is written by hand. */
package org.kintsugi.bindings.internal;
