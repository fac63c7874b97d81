package io.varve.engine;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;

/** A copy's {@link ReaderWarmer} and its counters. */
final class Warming {

  private static final System.Logger LOG = System.getLogger(Warming.class.getName());

  private final Meters meters;
  private volatile ReaderWarmer warmer = ReaderWarmer.NONE;

  Warming(Meters meters) {
    this.meters = meters;
  }

  void with(ReaderWarmer newWarmer) {
    warmer = newWarmer;
  }

  /** Never fails: publishing a reader matters more than the speed of its first search. */
  void warm(IndexReader reader) {
    long began = meters.warms.begin();
    boolean done = false;
    try {
      done = warmer.warm(reader, meters.searches);
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "warming a reader failed, publishing it cold", e);
    } finally {
      meters.warms.end(began, done);
    }
  }
}
