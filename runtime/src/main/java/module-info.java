/** Shared by launcher and API. */
@SuppressWarnings("module") // javac does not see the modules that the second package is for: they are built later
module org.kintsugi.runtime {
  exports org.kintsugi.runtime;
  exports org.kintsugi.runtime.internal to org.kintsugi, org.kintsugi.launcher, org.kintsugi.bindings;
}
