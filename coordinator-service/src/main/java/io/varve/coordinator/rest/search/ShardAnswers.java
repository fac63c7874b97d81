package io.varve.coordinator.rest.search;

import io.varve.memory.ParentBreaker;
import io.varve.search.ShardSearchResult;

/**
 * Decodes the answers of shards if the heap has enough free space. The size of the decoded objects
 * is estimated as {@value #OBJECTS_FACTOR} times the encoded size: a sketch of distinct values
 * takes up to four times its encoded size, whereas hits keep their sources in the encoded bytes.
 */
record ShardAnswers(ParentBreaker memory) {

  static final int OBJECTS_FACTOR = 4;

  /** Answers below this size are decoded without a check. */
  private static final int LARGE_BYTES = 64 * 1024;

  ShardSearchResult read(byte[] answer) {
    if (answer.length >= LARGE_BYTES) {
      memory.check((long) answer.length * OBJECTS_FACTOR, "<search_answer>");
    }
    return ShardSearchResult.fromBytes(answer);
  }
}
