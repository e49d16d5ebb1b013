/** What launcher and API both know. */
module org.kintsugi.runtime {
  exports org.kintsugi.runtime;
}
