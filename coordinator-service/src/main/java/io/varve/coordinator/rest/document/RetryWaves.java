package io.varve.coordinator.rest.document;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the parts of a bulk that wait for the same event, so that they are placed and grouped
 * together again. A wave begins with its first part and ends when it is taken; a part that is added
 * later begins the next one. Thread-safe.
 *
 * @param <P> a part
 */
final class RetryWaves<P> {

  private final Map<Wave, List<P>> waiting = new HashMap<>();

  /**
   * The event for which parts wait: a cluster state newer than this version, or the end of the
   * pause.
   */
  record Wave(long version, long pauseMillis) {}

  /**
   * Returns whether the part began the wave; if so, the caller must wait for the event and take the
   * wave.
   */
  synchronized boolean add(Wave wave, P part) {
    List<P> parts = waiting.get(wave);
    if (parts != null) {
      parts.add(part);
      return false;
    }
    waiting.put(wave, new ArrayList<>(List.of(part)));
    return true;
  }

  /** Ends the wave, and returns its parts in the order in which they were added. */
  synchronized List<P> take(Wave wave) {
    List<P> parts = waiting.remove(wave);
    return parts == null ? List.of() : parts;
  }
}
