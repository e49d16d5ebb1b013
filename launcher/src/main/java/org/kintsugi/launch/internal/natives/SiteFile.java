// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.natives;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.internal.InstalledNatives;
import org.kintsugi.runtime.internal.KintsugiFolders;

/**
 * The site's file with the native libraries for each flavour of MPI.
 *
 * <p>{@code kintsugi build} compiles the libraries. For a user who may write into the installation
 * the file is there, for all users. Other users have their own, which is read first.
 *
 * @param path of the file, whether it is there or not
 */
public record SiteFile(Path path) {
  private static final String NAME = InstalledNatives.SITE;

  /** All its possible places, in the order in which they are read. */
  public static List<SiteFile> all(Map<String, String> environment, Installation installation) {
    List<SiteFile> files = new ArrayList<>();
    files.add(new SiteFile(KintsugiFolders.ofUser(environment).resolve("natives").resolve(NAME)));
    if (installation != null) {
      files.add(ofInstallation(installation));
    }
    return files;
  }

  private static SiteFile ofInstallation(Installation installation) {
    return new SiteFile(installation.home().resolve("lib/natives").resolve(NAME));
  }

  /** The one that this user writes. */
  public static SiteFile own(Map<String, String> environment, Installation installation) {
    SiteFile shared = ofInstallation(installation);
    return Files.isWritable(shared.path.getParent()) ? shared : all(environment, null).get(0);
  }

  /** The default folder for libraries. */
  public Path folder(Flavour flavour) {
    return path.resolveSibling("site-" + flavour);
  }

  /** The folder that it names for a flavour; null if it names none, or is not there. */
  public Path named(Flavour flavour) {
    String folder = load().getProperty(flavour.toString());
    return folder == null ? null : path.resolveSibling(folder);
  }

  private Properties load() {
    Properties properties = new Properties();
    if (Files.exists(path)) {
      try (Reader text = Files.newBufferedReader(path)) {
        properties.load(text);
      } catch (IOException | IllegalArgumentException e) {
        throw new LaunchException("the site's file " + path + " cannot be read (" + e.getMessage() + "): run kintsugi build once "
            + "more, or remove it", e);
      }
    }
    return properties;
  }

  /** A folder beside the file is recorded by its name alone, so that an installation may be moved. */
  public void name(Flavour flavour, Path folder) throws IOException {
    Properties properties = load();
    properties.setProperty(flavour.toString(),
        (folder.getParent().equals(path.getParent()) ? folder.getFileName() : folder).toString());
    Path aside = Files.createTempFile(path.getParent(), NAME, "");
    try (Writer text = Files.newBufferedWriter(aside)) {
      properties.store(text, "Written by kintsugi build: native libraries for this site's MPI, by its flavour.");
    }
    aside.toFile().setReadable(true, false);
    Files.move(aside, path, StandardCopyOption.ATOMIC_MOVE);
  }
}
