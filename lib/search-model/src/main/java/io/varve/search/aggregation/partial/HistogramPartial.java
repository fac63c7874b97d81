package io.varve.search.aggregation.partial;

import io.varve.events.MalformedRecordException;
import io.varve.search.aggregation.format.ValueFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts of documents by the start of their interval.
 *
 * @param buckets by key, ascending; Double for numbers and Long for dates
 * @param from first bucket to return even if it is empty, or null
 * @param empty results of the sub-aggregations in an empty bucket
 */
public record HistogramPartial(
    ValueFormat format,
    List<Bucket> buckets,
    @Nullable Object from,
    @Nullable Object to,
    Partials empty)
    implements Partial {

  public record Bucket(Object key, long docCount, Partials children) {
    Bucket merge(Bucket other) {
      return new Bucket(key, docCount + other.docCount, children.merge(other.children));
    }

    int compareKeys(Bucket other) {
      return key instanceof Long whole && other.key instanceof Long second
          ? Long.compare(whole, second)
          : Double.compare(((Number) key).doubleValue(), ((Number) other.key).doubleValue());
    }
  }

  public HistogramPartial {
    buckets = List.copyOf(buckets);
  }

  @Override
  public HistogramPartial merge(Partial partial) {
    HistogramPartial other = (HistogramPartial) partial;
    return new HistogramPartial(
        format.isShown() ? format : other.format,
        merge(buckets, other.buckets),
        least(from, other.from),
        greatest(to, other.to),
        empty.list().isEmpty() ? other.empty : empty);
  }

  static List<Bucket> merge(List<Bucket> some, List<Bucket> more) {
    if (some.isEmpty() || more.isEmpty()) {
      return some.isEmpty() ? more : some;
    }
    List<Bucket> merged = new ArrayList<>(some.size() + more.size());
    int i = 0;
    int j = 0;
    while (i < some.size() && j < more.size()) {
      Bucket first = some.get(i);
      Bucket second = more.get(j);
      int order = first.compareKeys(second);
      merged.add(order == 0 ? first.merge(second) : order < 0 ? first : second);
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
    merged.addAll(some.subList(i, some.size()));
    merged.addAll(more.subList(j, more.size()));
    return merged;
  }

  private static @Nullable Object least(@Nullable Object a, @Nullable Object b) {
    return a == null || (b != null && value(b) < value(a)) ? b : a;
  }

  private static @Nullable Object greatest(@Nullable Object a, @Nullable Object b) {
    return a == null || (b != null && value(b) > value(a)) ? b : a;
  }

  private static double value(Object key) {
    return ((Number) key).doubleValue();
  }

  static void write(PartialWriter out, List<Bucket> buckets) {
    out.count(buckets.size());
    for (Bucket bucket : buckets) {
      out.key(bucket.key);
      out.count(bucket.docCount);
      bucket.children.write(out);
    }
  }

  static List<Bucket> readBuckets(PartialReader in) {
    int size = in.size();
    List<Bucket> buckets = new ArrayList<>(Math.min(size, 1 << 16));
    for (int i = 0; i < size; i++) {
      Object key = in.key();
      if (!(key instanceof Number)) {
        throw new MalformedRecordException("key of a histogram bucket is not a number");
      }
      buckets.add(new Bucket(key, in.count(), Partials.read(in)));
    }
    return buckets;
  }

  @Override
  public void write(PartialWriter out) {
    out.format(format);
    write(out, buckets);
    out.key(from);
    out.key(to);
    empty.write(out);
  }

  static HistogramPartial read(PartialReader in) {
    return new HistogramPartial(
        in.format(), readBuckets(in), in.key(), in.key(), Partials.read(in));
  }
}
