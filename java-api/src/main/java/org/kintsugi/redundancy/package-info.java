/**
 * The common parts of checkpoints and stored messages. They choose the process that holds a copy of
 * another's memory, report an error on one process to all, and lock files that a later epoch may
 * take over. Not exported.
 */
package org.kintsugi.redundancy;
