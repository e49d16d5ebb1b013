/** The mapping from C to Java. Only the build of the bindings needs it, no program at run time. */
module org.kintsugi.presets {
  requires transitive org.bytedeco.javacpp;

  exports org.kintsugi.presets;
}
