// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.kintsugi.ci.figures.FigurePage;

/** Writes the pages of the manual that are made from data; {@code make pages} runs it. */
public final class Pages {
  private Pages() {}

  /**
   * Writes all pages.
   *
   * @param args the checkout
   */
  public static void main(String[] args) throws IOException {
    Path checkout = Path.of(args[0]);
    for (Map.Entry<String, String> page : of(checkout).entrySet()) {
      Files.writeString(checkout.resolve(page.getKey()), page.getValue());
    }
  }

  /**
   * All pages that are made from data.
   *
   * @param checkout with the data
   * @return their texts by their paths in the checkout
   */
  public static Map<String, String> of(Path checkout) throws IOException {
    Map<String, String> pages = new TreeMap<>(IssuePages.of(checkout));
    pages.putAll(DecisionList.of(checkout));
    pages.putAll(FigurePage.of(checkout));
    return pages;
  }
}
