package io.varve.search.aggregation.partial;

import io.varve.search.aggregation.partial.ClustersPartial.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Merges neighbours of a sorted list of clusters, the closest ones first. The clusters form a
 * linked list, and a queue holds the gaps between them. A queued gap is valid only while neither of
 * its clusters has changed since it was added.
 */
final class NeighbourMerging {

  /** The gap between two neighbours, with the number of merges that each had undergone. */
  private record Gap(double width, int left, int right, int leftJoins, int rightJoins)
      implements Comparable<Gap> {
    @Override
    public int compareTo(Gap other) {
      int order = Double.compare(width, other.width);
      return order != 0 ? order : Integer.compare(left, other.left);
    }
  }

  private final Cluster[] clusters;
  private final int[] next;
  private final int[] previous;
  private final int[] joins;
  private final PriorityQueue<Gap> gaps = new PriorityQueue<>();
  private int size;

  NeighbourMerging(List<Cluster> sorted) {
    clusters = sorted.toArray(Cluster[]::new);
    size = clusters.length;
    next = new int[size];
    previous = new int[size];
    joins = new int[size];
    for (int i = 0; i < size; i++) {
      previous[i] = i - 1;
      next[i] = i + 1 < size ? i + 1 : -1;
    }
    for (int i = 0; i + 1 < size; i++) {
      offer(i, i + 1);
    }
  }

  private void offer(int left, int right) {
    double width = clusters[right].center() - clusters[left].center();
    gaps.add(new Gap(width, left, right, joins[left], joins[right]));
  }

  List<Cluster> reducedTo(int most) {
    while (size > most) {
      Gap gap = gaps.remove();
      // INVARIANT: a cluster that was merged into another has a negative number of merges.
      if (joins[gap.left] == gap.leftJoins && joins[gap.right] == gap.rightJoins) {
        join(gap.left, gap.right);
      }
    }
    List<Cluster> left = new ArrayList<>(size);
    for (int at = 0; at >= 0; at = next[at]) {
      left.add(clusters[at]);
    }
    return left;
  }

  private void join(int left, int right) {
    clusters[left] = clusters[left].merge(clusters[right]);
    joins[left]++;
    joins[right] = -1;
    next[left] = next[right];
    if (next[left] >= 0) {
      previous[next[left]] = left;
      offer(left, next[left]);
    }
    if (previous[left] >= 0) {
      offer(previous[left], left);
    }
    size--;
  }
}
