package io.varve.search.aggregation.partial;

import io.varve.search.aggregation.format.Formats;
import io.varve.search.aggregation.format.ValueFormat;

/**
 * The values from which avg, sum, min, max, stats and extended stats are computed.
 *
 * @param min positive infinity when there is no value
 * @param max negative infinity when there is no value
 * @param squares the sum of the squares
 */
public record NumbersPartial(
    ValueFormat format, long count, Sum sum, double min, double max, Sum squares)
    implements Partial {

  public static final NumbersPartial EMPTY =
      new NumbersPartial(
          Formats.RAW, 0, Sum.ZERO, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Sum.ZERO);

  public double avg() {
    return count == 0 ? Double.NaN : sum.value() / count;
  }

  @Override
  public NumbersPartial merge(Partial partial) {
    NumbersPartial other = (NumbersPartial) partial;
    return new NumbersPartial(
        format.isShown() ? format : other.format,
        count + other.count,
        sum.plus(other.sum),
        Math.min(min, other.min),
        Math.max(max, other.max),
        squares.plus(other.squares));
  }

  @Override
  public void write(PartialWriter out) {
    out.format(format);
    out.count(count);
    sum.write(out);
    out.decimal(min);
    out.decimal(max);
    squares.write(out);
  }

  static NumbersPartial read(PartialReader in) {
    return new NumbersPartial(
        in.format(), in.count(), Sum.read(in), in.decimal(), in.decimal(), Sum.read(in));
  }
}
