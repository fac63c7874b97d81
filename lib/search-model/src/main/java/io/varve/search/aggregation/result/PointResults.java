package io.varve.search.aggregation.result;

import io.varve.search.aggregation.partial.PointsPartial;
import io.varve.search.aggregation.partial.PointsPartial.Ends;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The final reduce of {@code geo_bounds} and {@code geo_centroid}. */
final class PointResults {

  private PointResults() {}

  static Result bounds(PointsPartial places, boolean wrap) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    if (places.count() > 0) {
      double[] sides = sides(places.west(), places.east(), wrap);
      fields.put(
          "bounds",
          Map.of(
              "top_left", point(places.latitudes().max(), sides[0]),
              "bottom_right", point(places.latitudes().min(), sides[1])));
    }
    return new Result.Metrics("geo_bounds", fields, Map.of());
  }

  /** The left and right bound; the box crosses the date line if that makes it narrower. */
  private static double[] sides(Ends west, Ends east, boolean wrap) {
    if (west.isEmpty() || east.isEmpty()) {
      Ends only = west.isEmpty() ? east : west;
      return new double[] {only.min(), only.max()};
    }
    double plain = east.max() - west.min();
    double across = 360 - east.min() + west.max();
    return wrap && across < plain
        ? new double[] {east.min(), west.max()}
        : new double[] {west.min(), east.max()};
  }

  static Result centroid(PointsPartial places) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    Map<String, Double> values = new LinkedHashMap<>();
    if (places.count() > 0) {
      double lat = places.latitude().value() / places.count();
      double lon = places.longitude().value() / places.count();
      fields.put("location", point(lat, lon));
      values.put("lat", lat);
      values.put("lon", lon);
    }
    fields.put("count", places.count());
    values.put("count", (double) places.count());
    return new Result.Metrics("geo_centroid", fields, values);
  }

  private static Map<String, Object> point(double lat, double lon) {
    Map<String, Object> point = new LinkedHashMap<>();
    point.put("lat", lat);
    point.put("lon", lon);
    return point;
  }
}
