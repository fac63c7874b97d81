package io.varve.coordinator.rest.search;

import io.varve.memory.ParentBreaker;
import io.varve.search.ShardSearchResult;

/**
 * Decodes the answers of shards if the heap has room for them. The objects are estimated at {@value
 * #OBJECTS_FACTOR} times the size of the bytes: a sketch of distinct values takes up to four times
 * as much, and hits keep their sources in the same bytes.
 */
record ShardAnswers(ParentBreaker memory) {

  static final int OBJECTS_FACTOR = 4;

  /** Smaller answers are decoded without a check. */
  private static final int LARGE_BYTES = 64 * 1024;

  ShardSearchResult read(byte[] answer) {
    if (answer.length >= LARGE_BYTES) {
      memory.check((long) answer.length * OBJECTS_FACTOR, "<search_answer>");
    }
    return ShardSearchResult.fromBytes(answer);
  }
}
