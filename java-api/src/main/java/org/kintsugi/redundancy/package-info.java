/**
 * What checkpoints and stored messages have in common: who keeps copies of whose memory, and how all learn of what went wrong on
 * one. Not exported.
 */
package org.kintsugi.redundancy;
