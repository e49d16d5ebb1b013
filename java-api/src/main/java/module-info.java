/** Fault-tolerant MPI: what users program against. Packages that are not exported are internal. */
module org.kintsugi {
  requires transitive org.kintsugi.runtime;
  requires org.kintsugi.bindings;
  requires java.sql;
  requires jdk.jfr;
  requires jdk.unsupported;

  exports org.kintsugi.mpi;
  exports org.kintsugi.inject;
  exports org.kintsugi.reinit;
  exports org.kintsugi.checkpoint;
  exports org.kintsugi.checkpoint.engine;
  exports org.kintsugi.checkpoint.scr;
  exports org.kintsugi.persist;

  uses org.kintsugi.checkpoint.engine.EngineProvider;
  uses org.kintsugi.persist.MessageStoreProvider;

  provides org.kintsugi.checkpoint.engine.EngineProvider
      with org.kintsugi.checkpoint.internal.fti.FtiProvider, org.kintsugi.checkpoint.scr.internal.ScrProvider;
  provides org.kintsugi.persist.MessageStoreProvider with org.kintsugi.persist.internal.scr.ScrStoreProvider;
}
