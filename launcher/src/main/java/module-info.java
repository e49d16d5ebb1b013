/** jmpirun. */
module org.kintsugi.launcher {
  requires transitive org.kintsugi.runtime;
  requires info.picocli;
  requires jdk.jfr;

  exports org.kintsugi.launch;
  exports org.kintsugi.launch.spec;

  opens org.kintsugi.launch to info.picocli;
  opens org.kintsugi.launch.internal.proof to info.picocli;
}
