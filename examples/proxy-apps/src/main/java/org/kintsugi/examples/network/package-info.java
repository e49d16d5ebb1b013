/** A program that tries the network of a site, with failures in it. */
package org.kintsugi.examples.network;
