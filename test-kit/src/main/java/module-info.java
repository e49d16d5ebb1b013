/** JUnit tests of programs on MPI ranks. */
module org.kintsugi.test {
  requires transitive org.kintsugi;
  requires transitive org.junit.jupiter.api;
  requires org.kintsugi.launcher;

  exports org.kintsugi.test;
  exports org.kintsugi.test.cluster;
}
