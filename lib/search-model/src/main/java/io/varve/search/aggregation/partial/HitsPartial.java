package io.varve.search.aggregation.partial;

import io.varve.search.hits.PackedShardHits;
import io.varve.search.hits.ShardHit;
import java.util.ArrayList;
import java.util.List;

/**
 * The best documents of a bucket. They are not sorted here, because only the request contains the
 * order and the size.
 *
 * @param total all documents of the bucket
 * @param maxScore NaN when there is none
 */
public record HitsPartial(long total, float maxScore, List<Found> hits) implements Partial {

  public static final HitsPartial NONE = new HitsPartial(0, Float.NaN, List.of());

  /**
   * A hit and its origin.
   *
   * @param place tie-breaker: the shard's ordinal in the high bits, the document's number in the
   *     low ones
   */
  public record Found(String index, long place, ShardHit hit) {}

  public HitsPartial {
    hits = List.copyOf(hits);
  }

  @Override
  public HitsPartial merge(Partial partial) {
    HitsPartial other = (HitsPartial) partial;
    List<Found> all = new ArrayList<>(hits.size() + other.hits.size());
    all.addAll(hits);
    all.addAll(other.hits);
    float best =
        Float.isNaN(maxScore)
            ? other.maxScore
            : Float.isNaN(other.maxScore) ? maxScore : Math.max(maxScore, other.maxScore);
    return new HitsPartial(total + other.total, best, all);
  }

  @Override
  public void write(PartialWriter out) {
    List<ShardHit> plain = hits.stream().map(Found::hit).toList();
    out.bytes(new PackedShardHits(total, maxScore, plain).toBytes(byte[]::new));
    for (Found found : hits) {
      out.text(found.index);
      out.whole(found.place);
    }
  }

  static HitsPartial read(PartialReader in) {
    PackedShardHits result = PackedShardHits.fromBytes(in.bytes());
    List<Found> hits = new ArrayList<>(result.hits().size());
    for (ShardHit hit : result.hits()) {
      hits.add(new Found(in.text(), in.whole(), hit));
    }
    return new HitsPartial(result.total(), result.maxScore(), hits);
  }
}
