package io.varve.load.budget;

/** A part of a server's work under a bulk load. */
public enum Stage {
  HTTP("HTTP and wire"),
  BULK("bulk parse and answer"),
  SEQUENCE("sequence and ack"),
  PARSE("document parse"),
  FIELDS("field building"),
  ID_LOOKUP("id look-up"),
  LUCENE_ADD("Lucene add"),
  FLUSH("flush and refresh"),
  MERGE("merge"),
  PRODUCER("producer"),
  LOG_READ("log reads"),
  REPLICA("replica"),
  BROKER("broker"),
  OTHER("other Java code"),
  GC("garbage collection"),
  JIT("JIT"),
  VM("other threads of the JVM");

  private final String label;

  Stage(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
