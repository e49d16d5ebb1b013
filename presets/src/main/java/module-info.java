/** How C maps to Java: for the build of the bindings only. */
module org.kintsugi.presets {
  requires transitive org.bytedeco.javacpp;

  exports org.kintsugi.presets;
}
