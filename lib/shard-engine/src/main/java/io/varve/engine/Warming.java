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

  /**
   * Warms a reader. Logs failures instead of throwing, because a reader must become visible even if
   * its first search is slow.
   */
  void warm(IndexReader reader) {
    long began = meters.warms.begin();
    boolean done = false;
    try {
      done = warmer.warm(reader, meters.searches);
    } catch (IOException | RuntimeException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "warming a reader failed; it becomes visible without warming",
          e);
    } finally {
      meters.warms.end(began, done);
    }
  }
}
