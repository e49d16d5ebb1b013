/** The manual as a site, for {@code make docs}: pages made ready for the generator, and the links of what it has made. */
package org.kintsugi.ci.site;
