/** Fast networks on a machine that has none: libfabric and UCX with what they have in software. */
package org.kintsugi.ci.network;
