/**
 * Tools for the pages of the manual, each a program of its own.
 *
 * <p>{@code make docs} runs {@link org.kintsugi.ci.site.SitePages}, which copies the pages into one folder, then MkDocs, which
 * makes the site of that folder, and then {@link org.kintsugi.ci.site.SiteLinks}, which checks the site's links. {@code make
 * check} runs {@link org.kintsugi.ci.site.RecipeBlocks}, which compares the programs in {@code docs/recipes.md} with those in
 * {@code examples/recipes}.
 */
package org.kintsugi.ci.site;
