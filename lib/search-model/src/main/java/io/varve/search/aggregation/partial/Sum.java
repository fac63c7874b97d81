package io.varve.search.aggregation.partial;

/**
 * A compensated sum of doubles (Kahan), so that the order of the parts hardly matters.
 *
 * @param lost the running compensation
 */
public record Sum(double value, double lost) {

  public static final Sum ZERO = new Sum(0, 0);

  public Sum plus(double more) {
    if (!Double.isFinite(more) || !Double.isFinite(value)) {
      return new Sum(value + more, 0);
    }
    double corrected = more + lost;
    double updated = value + corrected;
    return new Sum(updated, corrected - (updated - value));
  }

  public Sum plus(Sum other) {
    return plus(other.value).plus(other.lost);
  }

  void write(PartialWriter out) {
    out.decimal(value);
    out.decimal(lost);
  }

  static Sum read(PartialReader in) {
    return new Sum(in.decimal(), in.decimal());
  }
}
