/** The engines that keep versions in the memory of other processes, as copies or as parity. */
package org.kintsugi.checkpoint.internal.memory;
