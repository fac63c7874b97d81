package io.varve.engine.search.aggregation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Selects the documents of a sample: the best ones, optionally with a maximum per value. */
sealed interface Sample {

  /** A document of the whole reader with its score. */
  record Seen(int doc, float score) {}

  /** Best first; ties are broken by index order. */
  Comparator<Seen> ORDER =
      Comparator.<Seen>comparingDouble(seen -> -seen.score).thenComparingInt(Seen::doc);

  /** The selection for one bucket. */
  interface Group {
    void add(Seen seen, @Nullable Object value);

    /** The selected documents in index order. */
    List<Seen> chosen();
  }

  Group group(MemoryAccount memory);

  long SEEN_BYTES = 48;

  record Best(int most) implements Sample {
    @Override
    public Group group(MemoryAccount memory) {
      return new Top(most, memory);
    }
  }

  record Diverse(int most, int perValue) implements Sample {
    @Override
    public Group group(MemoryAccount memory) {
      return new ByValue(this, memory);
    }
  }

  /** A bounded heap with the worst document on top. */
  final class Top implements Group {
    private final int most;
    private final MemoryAccount memory;
    private final PriorityQueue<Seen> worstFirst = new PriorityQueue<>(ORDER.reversed());

    Top(int most, MemoryAccount memory) {
      this.most = most;
      this.memory = memory;
    }

    @Override
    public void add(Seen seen, @Nullable Object value) {
      if (worstFirst.size() < most) {
        memory.charge(SEEN_BYTES);
        worstFirst.add(seen);
        return;
      }
      Seen worst = worstFirst.peek();
      if (worst != null && ORDER.compare(seen, worst) < 0) {
        worstFirst.poll();
        worstFirst.add(seen);
      }
    }

    @Override
    public List<Seen> chosen() {
      List<Seen> chosen = new ArrayList<>(worstFirst);
      chosen.sort(Comparator.comparingInt(Seen::doc));
      return chosen;
    }
  }

  /** The best documents of each value, from which the best overall are selected. */
  final class ByValue implements Group {
    private final Diverse sample;
    private final MemoryAccount memory;
    private final Map<@Nullable Object, Top> values = new HashMap<>();

    ByValue(Diverse sample, MemoryAccount memory) {
      this.sample = sample;
      this.memory = memory;
    }

    @Override
    public void add(Seen seen, @Nullable Object value) {
      Top best = values.get(value);
      if (best == null) {
        memory.charge(SEEN_BYTES * 3);
        best = new Top(sample.perValue, memory);
        values.put(value, best);
      }
      best.add(seen, value);
    }

    @Override
    public List<Seen> chosen() {
      Top all = new Top(sample.most, memory);
      values.values().forEach(best -> best.worstFirst.forEach(seen -> all.add(seen, null)));
      return all.chosen();
    }
  }
}
