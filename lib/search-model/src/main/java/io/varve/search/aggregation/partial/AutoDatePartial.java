package io.varve.search.aggregation.partial;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.rounding.AutoLevels;
import io.varve.search.aggregation.rounding.Rounding;
import java.util.ArrayList;
import java.util.List;

/**
 * Documents by intervals of time whose length is chosen by how many there are.
 *
 * @param level of {@link AutoLevels} that the keys are rounded to
 * @param buckets keys ascending
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
    // Who finishes it rounds the finer part's keys up to the coarser level.
    return new AutoDatePartial(
        format.isShown() ? format : other.format,
        Math.max(level, other.level),
        HistogramPartial.merge(buckets, other.buckets),
        empty.list().isEmpty() ? other.empty : empty);
  }

  /** Rounded to a level. */
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
  public void write(Out out) {
    out.format(format);
    out.count(level);
    HistogramPartial.write(out, buckets);
    empty.write(out);
  }

  static AutoDatePartial read(In in) {
    return new AutoDatePartial(
        in.format(), in.size(), HistogramPartial.readBuckets(in), Partials.read(in));
  }
}
