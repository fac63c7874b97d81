package io.varve.search.aggregation.partial;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.rounding.AutoLevels;
import io.varve.search.aggregation.rounding.Rounding;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts of documents by time intervals, whose length was chosen to limit the number of buckets.
 *
 * @param level the level of {@link AutoLevels} that the keys are rounded to
 * @param buckets by key, ascending
 */
public record AutoDatePartial(
    ValueFormat format, int level, List<HistogramPartial.Bucket> buckets, Partials empty)
    implements Partial {

  public AutoDatePartial {
    buckets = List.copyOf(buckets);
  }

  @Override
  public AutoDatePartial merge(Partial partial) {
    AutoDatePartial other = (AutoDatePartial) partial;
    // Keys of the finer result are not changed here; the final reduce rounds them to the coarser
    // level.
    return new AutoDatePartial(
        format.isShown() ? format : other.format,
        Math.max(level, other.level),
        HistogramPartial.merge(buckets, other.buckets),
        empty.list().isEmpty() ? other.empty : empty);
  }

  /** Rounds the buckets to a level. */
  public static List<HistogramPartial.Bucket> rounded(
      List<HistogramPartial.Bucket> buckets, AutoLevels levels, int level) {
    Rounding rounding = levels.get(level).rounding();
    List<HistogramPartial.Bucket> rounded = new ArrayList<>();
    for (HistogramPartial.Bucket bucket : buckets) {
      Long key = rounding.round((Long) bucket.key());
      HistogramPartial.Bucket same =
          new HistogramPartial.Bucket(key, bucket.docCount(), bucket.children());
      if (!rounded.isEmpty() && rounded.getLast().key().equals(key)) {
        rounded.set(rounded.size() - 1, rounded.getLast().merge(same));
      } else {
        rounded.add(same);
      }
    }
    return rounded;
  }

  @Override
  public void write(PartialWriter out) {
    out.format(format);
    out.count(level);
    HistogramPartial.write(out, buckets);
    empty.write(out);
  }

  static AutoDatePartial read(PartialReader in) {
    return new AutoDatePartial(
        in.format(), in.size(), HistogramPartial.readBuckets(in), Partials.read(in));
  }
}
