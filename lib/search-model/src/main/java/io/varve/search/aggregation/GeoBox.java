package io.varve.search.aggregation;

/** A rectangle on the earth. When left is greater than right it crosses the date line. */
public record GeoBox(double top, double bottom, double left, double right) {
  public boolean contains(double lat, double lon) {
    return lat >= bottom
        && lat <= top
        && (left <= right ? lon >= left && lon <= right : lon >= left || lon <= right);
  }
}
