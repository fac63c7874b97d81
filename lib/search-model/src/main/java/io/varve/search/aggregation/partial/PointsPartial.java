package io.varve.search.aggregation.partial;

/**
 * The bounding box and the coordinate sums of points. Negative and non-negative longitudes have
 * separate bounds, so that the narrower box around the earth can be chosen.
 */
public record PointsPartial(
    long count, Ends latitudes, Ends west, Ends east, Sum latitude, Sum longitude)
    implements Partial {

  public record Ends(double min, double max) {
    public static final Ends NONE = new Ends(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

    public Ends with(double value) {
      return new Ends(Math.min(min, value), Math.max(max, value));
    }

    Ends merge(Ends other) {
      return new Ends(Math.min(min, other.min), Math.max(max, other.max));
    }

    public boolean isEmpty() {
      return min > max;
    }

    void write(PartialWriter out) {
      out.decimal(min);
      out.decimal(max);
    }

    static Ends read(PartialReader in) {
      return new Ends(in.decimal(), in.decimal());
    }
  }

  public static final PointsPartial NONE =
      new PointsPartial(0, Ends.NONE, Ends.NONE, Ends.NONE, Sum.ZERO, Sum.ZERO);

  public PointsPartial with(double lat, double lon) {
    return new PointsPartial(
        count + 1,
        latitudes.with(lat),
        lon < 0 ? west.with(lon) : west,
        lon < 0 ? east : east.with(lon),
        latitude.plus(lat),
        longitude.plus(lon));
  }

  @Override
  public PointsPartial merge(Partial partial) {
    PointsPartial other = (PointsPartial) partial;
    return new PointsPartial(
        count + other.count,
        latitudes.merge(other.latitudes),
        west.merge(other.west),
        east.merge(other.east),
        latitude.plus(other.latitude),
        longitude.plus(other.longitude));
  }

  @Override
  public void write(PartialWriter out) {
    out.count(count);
    latitudes.write(out);
    west.write(out);
    east.write(out);
    latitude.write(out);
    longitude.write(out);
  }

  static PointsPartial read(PartialReader in) {
    return new PointsPartial(
        in.count(), Ends.read(in), Ends.read(in), Ends.read(in), Sum.read(in), Sum.read(in));
  }
}
