package io.varve.load.plot;

import java.util.List;
import java.util.stream.Stream;

/**
 * A diagram of a picture.
 *
 * @param x the axis of the sizes, each of which is labelled
 */
public record Panel(String title, Axis x, Axis y, List<Series> series) {

  public Panel {
    series = List.copyOf(series);
    if (series.isEmpty() || series.size() > SvgPlot.MAX_SERIES) {
      throw new IllegalArgumentException(
          "a panel has 1 to " + SvgPlot.MAX_SERIES + " series, not " + series.size());
    }
  }

  /** Values of one kind, which a line connects. */
  public record Series(String name, List<Point> points) {
    public Series {
      points = List.copyOf(points);
      if (points.isEmpty()) {
        throw new IllegalArgumentException("the series " + name + " has no points");
      }
    }
  }

  /** A value at a size. */
  public record Point(double x, double y) {
    public Point {
      if (!Double.isFinite(x) || !Double.isFinite(y)) {
        throw new IllegalArgumentException("no place for (" + x + ", " + y + ")");
      }
    }
  }

  Axis.Range xRange() {
    return x.exactly(points().map(Point::x).toList());
  }

  Axis.Range yRange() {
    return y.around(points().map(Point::y).toList());
  }

  private Stream<Point> points() {
    return series.stream().flatMap(line -> line.points().stream());
  }
}
