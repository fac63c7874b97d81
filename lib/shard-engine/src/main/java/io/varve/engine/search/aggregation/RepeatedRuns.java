package io.varve.engine.search.aggregation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/**
 * Detects repeated runs of words for {@code filter_duplicate_text}. A run has six words: shorter
 * repetitions are common in natural language, longer ones indicate copied text. Runs are identified
 * by hash.
 */
final class RepeatedRuns {

  static final int RUN_WORDS = 6;
  private static final long RUN_BYTES = 48;
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private final Set<Long> seen = new HashSet<>();
  private final MemoryAccount memory;

  RepeatedRuns(MemoryAccount memory) {
    this.memory = memory;
  }

  /**
   * Returns the words that are not part of a run of an earlier text, and then records the runs of
   * this text.
   */
  List<BytesRef> fresh(List<BytesRef> words) {
    boolean[] copied = new boolean[words.size()];
    List<Long> own = new ArrayList<>();
    for (int from = 0; from + RUN_WORDS <= words.size(); from++) {
      long run = run(words, from);
      own.add(run);
      if (seen.contains(run)) {
        Arrays.fill(copied, from, from + RUN_WORDS, true);
      }
    }
    for (long run : own) {
      if (seen.add(run)) {
        memory.charge(RUN_BYTES);
      }
    }
    List<BytesRef> fresh = new ArrayList<>();
    for (int i = 0; i < copied.length; i++) {
      if (!copied[i]) {
        fresh.add(words.get(i));
      }
    }
    return fresh;
  }

  private static long run(List<BytesRef> words, int from) {
    long hash = 0;
    for (int i = from; i < from + RUN_WORDS; i++) {
      BytesRef word = words.get(i);
      long one =
          ((long) StringHelper.murmurhash3_x86_32(word, 0) << 32)
              ^ StringHelper.murmurhash3_x86_32(word, 7);
      hash = (hash ^ one) * FACTOR;
      hash ^= hash >>> 29;
    }
    return hash;
  }
}
