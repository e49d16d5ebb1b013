/** What a job is to be, and the exception where that is not possible: for all other packages of the launcher. */
package org.kintsugi.launch.spec;
