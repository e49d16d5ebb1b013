/** The whole C API, generated from the presets. */
module org.kintsugi.bindings {
  requires org.kintsugi.runtime;
  requires static org.kintsugi.presets;
  requires transitive org.bytedeco.javacpp;

  exports org.kintsugi.bindings;
}
