package io.varve.search.mapping;

import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A point on earth, parsed from any of its notations: {@code {"lat","lon"}}, GeoJSON, {@code [lon,
 * lat]}, {@code "lat,lon"}, {@code "POINT (lon lat)"} or a geohash.
 */
public record GeoPoint(double lat, double lon) {

  private static final Pattern WKT =
      Pattern.compile("(?i)POINT\\s*\\(\\s*(\\S+)\\s+(\\S+?)\\s*\\)");
  private static final String GEOHASH = "0123456789bcdefghjkmnpqrstuvwxyz";

  public GeoPoint {
    if (!(Math.abs(lat) <= 90)) {
      throw refused("illegal latitude value [" + lat + "]");
    }
    if (!(Math.abs(lon) <= 180)) {
      throw refused("illegal longitude value [" + lon + "]");
    }
  }

  /** Coordinates whose range has not been checked. */
  private record Written(double lat, double lon) {

    GeoPoint point() {
      return new GeoPoint(lat, lon);
    }

    /**
     * Normalizes the coordinates: longitude wraps around, a latitude beyond a pole continues on the
     * opposite meridian.
     */
    GeoPoint wrapped() {
      double turned = Math.IEEEremainder(lat, 360);
      boolean behind = Math.abs(turned) > 90;
      double north = behind ? Math.copySign(180, turned) - turned : turned;
      return new GeoPoint(north, Math.IEEEremainder(behind ? lon + 180 : lon, 360));
    }
  }

  /** Refuses coordinates out of range. */
  public static GeoPoint parse(Object value) {
    return written(value).point();
  }

  /** Normalizes coordinates out of range. */
  public static GeoPoint parseWrapped(Object value) {
    return written(value).wrapped();
  }

  private static Written written(Object value) {
    return switch (value) {
      case Map<?, ?> map -> ofMap(map);
      case List<?> list -> ofList(list);
      default -> ofText(value.toString().strip());
    };
  }

  /** Parses the value of a field: a point or a list of points. */
  public static List<GeoPoint> parseAll(Object value) {
    return parseAll(value, GeoPoint::parse);
  }

  /**
   * @param parsing parses one point
   */
  public static List<GeoPoint> parseAll(Object value, Function<Object, GeoPoint> parsing) {
    if (!(value instanceof List<?> list) || isNumber(list)) {
      return List.of(parsing.apply(value));
    }
    List<GeoPoint> points = new ArrayList<>(list.size());
    for (Object one : list) {
      if (one != null) {
        points.add(parsing.apply(one));
      }
    }
    return points;
  }

  private static boolean isNumber(List<?> list) {
    return !list.isEmpty() && list.getFirst() instanceof Number;
  }

  private static Written ofMap(Map<?, ?> map) {
    if (map.containsKey("coordinates")) {
      return ofGeoJson(map);
    }
    if (map.size() == 1 && map.get("geohash") instanceof String hash) {
      return ofGeohash(hash);
    }
    for (Object key : map.keySet()) {
      if (!"lat".equals(key) && !"lon".equals(key)) {
        throw refused("field must be either [lat], [lon] or [geohash]");
      }
    }
    if (map.get("lat") == null) {
      throw refused("field [lat] missing");
    }
    if (map.get("lon") == null) {
      throw refused("field [lon] missing");
    }
    return new Written(number("lat", map.get("lat")), number("lon", map.get("lon")));
  }

  private static Written ofGeoJson(Map<?, ?> map) {
    if (!"point".equalsIgnoreCase(String.valueOf(map.get("type")))) {
      throw refused(
          "[geo_point] of GeoJSON must be of type [Point], was [" + map.get("type") + "]");
    }
    if (map.get("coordinates") instanceof List<?> coordinates) {
      return ofList(coordinates);
    }
    throw refused("[geo_point] of GeoJSON needs a list of [coordinates]");
  }

  private static Written ofList(List<?> list) {
    if (list.size() < 2 || list.size() > 3) {
      throw refused("[geo_point] field type does not accept " + list.size() + " dimensions");
    }
    return new Written(number("lat", list.get(1)), number("lon", list.get(0)));
  }

  private static Written ofText(String text) {
    int comma = text.indexOf(',');
    if (comma >= 0) {
      String lon = text.substring(comma + 1);
      int more = lon.indexOf(',');
      return new Written(
          number("lat", text.substring(0, comma)),
          number("lon", more < 0 ? lon : lon.substring(0, more)));
    }
    Matcher wkt = WKT.matcher(text);
    if (wkt.matches()) {
      return new Written(number("lat", wkt.group(2)), number("lon", wkt.group(1)));
    }
    return ofGeohash(text);
  }

  private static Written ofGeohash(String hash) {
    double[] lat = {-90, 90};
    double[] lon = {-180, 180};
    boolean even = true;
    if (hash.isEmpty()) {
      throw refused("unsupported symbol [] in geohash []");
    }
    for (int i = 0; i < hash.length(); i++) {
      int bits = GEOHASH.indexOf(Character.toLowerCase(hash.charAt(i)));
      if (bits < 0) {
        throw refused("unsupported symbol [" + hash.charAt(i) + "] in geohash [" + hash + "]");
      }
      for (int bit = 16; bit > 0; bit >>= 1) {
        double[] range = even ? lon : lat;
        range[(bits & bit) != 0 ? 0 : 1] = (range[0] + range[1]) / 2;
        even = !even;
      }
    }
    return new Written(lat[0], lon[0]);
  }

  private static double number(String name, @org.jspecify.annotations.Nullable Object value) {
    try {
      return value instanceof Number number
          ? number.doubleValue()
          : Double.parseDouble(String.valueOf(value).strip());
    } catch (NumberFormatException e) {
      String word = name.equals("lat") ? "latitude" : "longitude";
      throw refused("[" + word + "] must be a valid double value");
    }
  }

  private static ValueException refused(String reason) {
    return new ValueException(ErrorBody.of(400, "parse_exception", reason));
  }
}
