/** The message store {@code scr}: messages that SCR keeps. Programs ask for it by info {@code kintsugi_persist_store}. */
package org.kintsugi.persist.internal.scr;
