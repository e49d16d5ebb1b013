/**
 * Over what messages between hosts travel: the routes of Open MPI that survive process failures, which of them a site has tested
 * ({@code kintsugi doctor --network}), and the options of mpirun for each.
 */
package org.kintsugi.launch.internal.network;
