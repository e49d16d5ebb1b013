/**
 * The common parts of checkpoints and stored messages: who holds copies of whose memory, how all processes learn of an error on
 * one, and locks on files that a later epoch may take over. Not exported.
 */
package org.kintsugi.redundancy;
