/** The whole C API, generated from the presets. */
module org.kintsugi.bindings {
  requires transitive org.kintsugi.presets;

  exports org.kintsugi.bindings;
}
