/** This host: folders and files of jobs, users, processes, and the installation that this launcher is of. */
package org.kintsugi.launch.internal.host;
