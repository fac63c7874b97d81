package io.varve.engine.search.aggregation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/**
 * Knows the runs of words that were met before. A run is six words long: shorter ones are how
 * people speak, longer ones are copied. A run is known by its hash.
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

  /** The words that stand in no run of an earlier text. The runs of this one are known then. */
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
