package io.varve.search.aggregation.result;

import io.varve.search.aggregation.BucketAggregation.Grid;

/**
 * Encodes cells of the earth as numbers. A tile is its zoom in the highest 6 bits, then 29 bits
 * each for column and row of the Mercator map. A geohash is its length in the lowest 4 bits, with 5
 * bits for each character above.
 */
public final class GeoTiles {

  private static final String LETTERS = "0123456789bcdefghjkmnpqrstuvwxyz";
  private static final int COORDINATE_BITS = 29;
  private static final long COORDINATE_MASK = (1L << COORDINATE_BITS) - 1;

  /** The Mercator map of tiles is square and ends at this latitude. */
  private static final double LAST_LATITUDE = Math.toDegrees(Math.atan(Math.sinh(Math.PI)));

  public static final int MOST_ZOOM = COORDINATE_BITS;

  private GeoTiles() {}

  public static long cell(Grid grid, double lat, double lon, int precision) {
    return grid == Grid.GEOTILE ? tile(lat, lon, precision) : hash(lat, lon, precision);
  }

  public static String text(Grid grid, long cell) {
    return grid == Grid.GEOTILE ? text(cell) : hashText(cell);
  }

  public static long tile(double lat, double lon, int zoom) {
    long tiles = 1L << zoom;
    double sin = Math.sin(Math.toRadians(Math.clamp(lat, -LAST_LATITUDE, LAST_LATITUDE)));
    long x = Math.clamp((long) Math.floor((lon + 180) / 360 * tiles), 0, tiles - 1);
    double down = 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI);
    long y = Math.clamp((long) Math.floor(down * tiles), 0, tiles - 1);
    return ((long) zoom << (2 * COORDINATE_BITS)) | (x << COORDINATE_BITS) | y;
  }

  /** {@code zoom/x/y}. */
  public static String text(long tile) {
    return (tile >>> (2 * COORDINATE_BITS))
        + "/"
        + ((tile >>> COORDINATE_BITS) & COORDINATE_MASK)
        + "/"
        + (tile & COORDINATE_MASK);
  }

  /** Parses {@code zoom/x/y}. */
  public static long parseTile(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 3) {
      throw new NumberFormatException("Invalid geotile_grid hash string of " + text);
    }
    return (Long.parseLong(parts[0]) << (2 * COORDINATE_BITS))
        | (Long.parseLong(parts[1]) << COORDINATE_BITS)
        | Long.parseLong(parts[2]);
  }

  static long hash(double lat, double lon, int length) {
    int bits = length * 5;
    // Longitude and latitude bits alternate, longitude first: it has one more when the number is
    // odd.
    int lonBits = (bits + 1) / 2;
    int latBits = bits / 2;
    long x =
        Math.clamp((long) Math.floor((lon + 180) / 360 * (1L << lonBits)), 0, (1L << lonBits) - 1);
    long y =
        Math.clamp((long) Math.floor((lat + 90) / 180 * (1L << latBits)), 0, (1L << latBits) - 1);
    long mixed = 0;
    for (int bit = 0; bit < bits; bit++) {
      boolean ofLon = bit % 2 == 0;
      int place = ofLon ? lonBits - 1 - bit / 2 : latBits - 1 - bit / 2;
      mixed = (mixed << 1) | (((ofLon ? x : y) >>> place) & 1);
    }
    return (mixed << 4) | length;
  }

  private static String hashText(long hash) {
    int length = (int) (hash & 15);
    long rest = hash >>> 4;
    char[] letters = new char[length];
    for (int i = length - 1; i >= 0; i--) {
      letters[i] = LETTERS.charAt((int) (rest & 31));
      rest >>>= 5;
    }
    return new String(letters);
  }
}
