/**
 * What checkpoints and stored messages have in common: who keeps copies of whose memory, how all processes learn of what went
 * wrong on one, and locks on files that a later epoch may take over. Not exported.
 */
package org.kintsugi.redundancy;
