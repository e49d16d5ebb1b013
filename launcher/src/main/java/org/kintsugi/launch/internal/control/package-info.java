/** The control server of a job: it asks its processes where they are, and passes on what they say. */
package org.kintsugi.launch.internal.control;
