package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.AutoDatePartial;
import io.varve.search.aggregation.rounding.AutoLevels;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/**
 * Computes a date histogram with an interval derived from the data: it starts with the finest
 * interval and switches to the next one when there are too many buckets. Existing buckets are
 * merged when the result is built.
 */
final class AutoDateAggregator extends IntervalAggregator {

  /** State for one bucket of the parent. */
  private static final class OwnerState {
    private int level;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private Set<Long> starts = new HashSet<>();
    // The interval of the last value.
    private long from = Long.MAX_VALUE;
    private long until = Long.MIN_VALUE;
  }

  private static final long START_BYTES = 48;

  private final AutoLevels levels;
  private final MemoryAccount memory;
  private final List<@Nullable OwnerState> owners = new ArrayList<>();

  AutoDateAggregator(
      FieldValues values, AutoLevels levels, Children children, AggregationContext context) {
    super(values, children, context);
    this.levels = levels;
    this.memory = context.memory();
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Numbers numbers = values.numbers(leaf);
    LeafBuckets inner = children.leaf(leaf);
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        OwnerState state = state(owner);
        long previous = Long.MIN_VALUE;
        for (int left = numbers.load(doc); left > 0; left--) {
          long start = start(state, numbers.whole());
          if (start != previous) {
            previous = start;
            inner.collect(doc, count(owner, start));
          }
        }
      }
    };
  }

  @Override
  public boolean countWhole(LeafReaderContext leaf, LeafMatch match) throws IOException {
    PointCounter counter = counter(leaf, match);
    if (counter == null) {
      return false;
    }
    OwnerState state = state(0);
    counter.count(
        new PointCounter.Buckets() {
          @Override
          public long key(long bits) {
            return levels.get(state.level).rounding().round(bits);
          }

          @Override
          public void add(long key, long count) {
            counts.add(keys.add(0, start(state, key)), count);
          }
        });
    return true;
  }

  private OwnerState state(int owner) {
    while (owners.size() <= owner) {
      owners.add(null);
    }
    OwnerState state = owners.get(owner);
    if (state == null) {
      state = new OwnerState();
      owners.set(owner, state);
    }
    return state;
  }

  private long start(OwnerState state, long millis) {
    if (millis >= state.from && millis < state.until) {
      return state.from;
    }
    long start = register(state, millis);
    state.from = start;
    state.until = levels.get(state.level).rounding().next(start);
    return start;
  }

  private long register(OwnerState state, long millis) {
    long start = levels.get(state.level).rounding().round(millis);
    if (!state.starts.add(start)) {
      return start;
    }
    memory.charge(START_BYTES);
    state.min = Math.min(state.min, start);
    state.max = Math.max(state.max, start);
    while (levels.isTooFine(state.level, Math.max(state.starts.size(), spread(state)))) {
      state.level++;
      coarsen(state);
    }
    return levels.get(state.level).rounding().round(millis);
  }

  /** The approximate number of buckets if those without documents are included. */
  private long spread(OwnerState state) {
    return (state.max - state.min) / levels.get(state.level).typicalMillis();
  }

  private void coarsen(OwnerState state) {
    Set<Long> coarser = new HashSet<>();
    for (long start : state.starts) {
      coarser.add(levels.get(state.level).rounding().round(start));
    }
    memory.charge(-START_BYTES * (state.starts.size() - coarser.size()));
    state.starts = coarser;
    state.min = levels.get(state.level).rounding().round(state.min);
    state.max = levels.get(state.level).rounding().round(state.max);
  }

  @Override
  public AutoDatePartial build(int owner) throws IOException {
    OwnerState state = owner < owners.size() ? owners.get(owner) : null;
    if (state == null) {
      return empty();
    }
    return new AutoDatePartial(
        values.format(),
        state.level,
        AutoDatePartial.rounded(intervals(owner, Long::valueOf), levels, state.level),
        children.empty());
  }

  @Override
  public AutoDatePartial empty() {
    return new AutoDatePartial(values.format(), 0, List.of(), children.empty());
  }
}
