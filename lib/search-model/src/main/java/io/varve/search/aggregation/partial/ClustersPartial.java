package io.varve.search.aggregation.partial;

import io.varve.search.aggregation.format.ValueFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Clusters of numbers that are close to each other.
 *
 * @param clusters by their centers, ascending
 */
public record ClustersPartial(ValueFormat format, List<Cluster> clusters) implements Partial {

  public record Cluster(double min, double max, Sum sum, long docCount, Partials children) {

    public double center() {
      return sum.value() / docCount;
    }

    Cluster merge(Cluster other) {
      return new Cluster(
          Math.min(min, other.min),
          Math.max(max, other.max),
          sum.plus(other.sum),
          docCount + other.docCount,
          children.merge(other.children));
    }
  }

  public ClustersPartial {
    clusters = List.copyOf(clusters);
  }

  @Override
  public ClustersPartial merge(Partial partial) {
    ClustersPartial other = (ClustersPartial) partial;
    List<Cluster> all = new ArrayList<>(clusters.size() + other.clusters.size());
    all.addAll(clusters);
    all.addAll(other.clusters);
    all.sort(Comparator.comparingDouble(Cluster::center).thenComparingDouble(Cluster::min));
    return new ClustersPartial(format.isShown() ? format : other.format, all);
  }

  /**
   * Merges the two neighbours with the closest centers, the first pair on ties, until at most
   * {@code most} clusters are left.
   */
  public ClustersPartial reducedTo(int most) {
    return clusters.size() <= most
        ? this
        : new ClustersPartial(format, new NeighbourMerging(clusters).reducedTo(most));
  }

  @Override
  public void write(PartialWriter out) {
    out.format(format);
    out.count(clusters.size());
    for (Cluster cluster : clusters) {
      out.decimal(cluster.min);
      out.decimal(cluster.max);
      cluster.sum.write(out);
      out.count(cluster.docCount);
      cluster.children.write(out);
    }
  }

  static ClustersPartial read(PartialReader in) {
    ValueFormat format = in.format();
    int size = in.size();
    List<Cluster> clusters = new ArrayList<>(Math.min(size, 1 << 16));
    for (int i = 0; i < size; i++) {
      clusters.add(
          new Cluster(in.decimal(), in.decimal(), Sum.read(in), in.count(), Partials.read(in)));
    }
    return new ClustersPartial(format, clusters);
  }
}
