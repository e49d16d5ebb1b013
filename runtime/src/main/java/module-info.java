/** Shared by launcher and API. */
@SuppressWarnings("module") // javac does not see the modules that the internal packages are for: they are built later
module org.kintsugi.runtime {
  exports org.kintsugi.runtime;
  exports org.kintsugi.runtime.internal to org.kintsugi, org.kintsugi.launcher, org.kintsugi.bindings;
  exports org.kintsugi.runtime.internal.advice to org.kintsugi.launcher;
  exports org.kintsugi.runtime.internal.protocol to org.kintsugi, org.kintsugi.launcher;
}
