/** Makes the manual a site for {@code make docs}: prepares its pages, and checks its links. */
package org.kintsugi.ci.site;
