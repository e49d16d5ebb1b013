/** How C maps to Java. */
module org.kintsugi.presets {
  requires org.kintsugi.runtime;
  requires transitive org.bytedeco.javacpp;

  exports org.kintsugi.presets;
}
