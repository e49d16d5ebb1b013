/** Checkpoints for global restart: protect data, save versions, restore the newest that every rank can get back. */
package org.kintsugi.checkpoint;
