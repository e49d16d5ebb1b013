/** The message store {@code scr}: messages that SCR keeps. Nothing here is for programs: info {@code kintsugi_persist_store} asks. */
package org.kintsugi.persist.scr;
