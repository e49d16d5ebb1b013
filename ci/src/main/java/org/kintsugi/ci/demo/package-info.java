/** What {@code make demo} shows. */
package org.kintsugi.ci.demo;
