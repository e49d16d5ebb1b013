/** Pages of the manual that are made from data: known issues, figures, decisions. {@code make pages} writes them. */
package org.kintsugi.ci.pages;
