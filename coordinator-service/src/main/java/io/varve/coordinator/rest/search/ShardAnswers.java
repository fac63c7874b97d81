package io.varve.coordinator.rest.search;

import io.varve.memory.ParentBreaker;
import io.varve.search.ShardSearchResult;

/**
 * Makes objects of what shards answered, if the heap has room for them. They are taken for {@value
 * #OBJECTS_FACTOR} times as large as the bytes: a sketch of different values is up to four times as
 * large, and hits have their sources in the same bytes.
 */
record ShardAnswers(ParentBreaker memory) {

  static final int OBJECTS_FACTOR = 4;

  /** Smaller answers are read without asking for room. */
  private static final int LARGE_BYTES = 64 * 1024;

  ShardSearchResult read(byte[] answer) {
    if (answer.length >= LARGE_BYTES) {
      memory.check((long) answer.length * OBJECTS_FACTOR, "<search_answer>");
    }
    return ShardSearchResult.fromBytes(answer);
  }
}
