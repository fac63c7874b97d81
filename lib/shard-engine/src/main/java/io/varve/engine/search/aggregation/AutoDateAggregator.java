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
 * Date histogram with an interval derived from the data: starts with the finest interval and
 * switches to the next one when there are too many buckets. Existing buckets are merged when the
 * result is built.
 */
final class AutoDateAggregator extends IntervalAggregator {

  /** State for one bucket of the parent. */
  private static final class Course {
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
  private final List<@Nullable Course> courses = new ArrayList<>();

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
    return new Forwarding(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        Course course = course(owner);
        long previous = Long.MIN_VALUE;
        for (int left = numbers.load(doc); left > 0; left--) {
          long start = start(course, numbers.whole());
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
    Course course = course(0);
    counter.count(
        new PointCounter.Buckets() {
          @Override
          public long key(long bits) {
            return levels.get(course.level).rounding().round(bits);
          }

          @Override
          public void add(long key, long count) {
            counts.add(keys.add(0, start(course, key)), count);
          }
        });
    return true;
  }

  private Course course(int owner) {
    while (courses.size() <= owner) {
      courses.add(null);
    }
    Course course = courses.get(owner);
    if (course == null) {
      course = new Course();
      courses.set(owner, course);
    }
    return course;
  }

  private long start(Course course, long millis) {
    if (millis >= course.from && millis < course.until) {
      return course.from;
    }
    long start = register(course, millis);
    course.from = start;
    course.until = levels.get(course.level).rounding().next(start);
    return start;
  }

  private long register(Course course, long millis) {
    long start = levels.get(course.level).rounding().round(millis);
    if (!course.starts.add(start)) {
      return start;
    }
    memory.charge(START_BYTES);
    course.min = Math.min(course.min, start);
    course.max = Math.max(course.max, start);
    while (levels.isTooFine(course.level, Math.max(course.starts.size(), spread(course)))) {
      course.level++;
      coarsen(course);
    }
    return levels.get(course.level).rounding().round(millis);
  }

  /** The number of buckets without gaps. */
  private long spread(Course course) {
    return (course.max - course.min) / levels.get(course.level).typicalMillis();
  }

  private void coarsen(Course course) {
    Set<Long> coarser = new HashSet<>();
    for (long start : course.starts) {
      coarser.add(levels.get(course.level).rounding().round(start));
    }
    memory.charge(-START_BYTES * (course.starts.size() - coarser.size()));
    course.starts = coarser;
    course.min = levels.get(course.level).rounding().round(course.min);
    course.max = levels.get(course.level).rounding().round(course.max);
  }

  @Override
  public AutoDatePartial build(int owner) throws IOException {
    Course course = owner < courses.size() ? courses.get(owner) : null;
    if (course == null) {
      return empty();
    }
    return new AutoDatePartial(
        values.format(),
        course.level,
        AutoDatePartial.rounded(intervals(owner, Long::valueOf), levels, course.level),
        children.empty());
  }

  @Override
  public AutoDatePartial empty() {
    return new AutoDatePartial(values.format(), 0, List.of(), children.empty());
  }
}
