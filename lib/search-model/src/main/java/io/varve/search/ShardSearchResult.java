package io.varve.search;

import io.varve.events.MalformedRecordException;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.hits.PackedShardHits;
import io.varve.search.hits.SearchHits;
import io.varve.search.hits.ShardHit;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The result of a search on one shard.
 *
 * @param total hits counted; {@link #NOT_COUNTED} when counting was switched off
 * @param exact false when there may be more than {@code total}
 * @param maxScore NaN when there is none
 * @param hits the first {@code from + size} in order
 * @param cut the reason for which the search ended early, if it did
 * @param visibleSeqNo the search saw every operation of the shard up to this one
 * @param serviceNanos the time that the shard needed for the search
 * @param extras results other than hits
 */
public record ShardSearchResult(
    long total,
    boolean exact,
    float maxScore,
    List<ShardHit> hits,
    Cut cut,
    long visibleSeqNo,
    long serviceNanos,
    Extras extras) {

  public static final long NOT_COUNTED = SearchHits.NOT_COUNTED;

  /** The reason for which a search ended before it had seen all documents. */
  public enum Cut {
    NOTHING(0),
    TIME(1),
    TERMINATE_AFTER(2);

    private final int code;

    Cut(int code) {
      this.code = code;
    }

    static Cut of(int code) {
      for (Cut cut : values()) {
        if (cut.code == code) {
          return cut;
        }
      }
      throw new MalformedRecordException("unknown reason why a search ended early: " + code);
    }
  }

  /**
   * Results other than hits.
   *
   * @param aggregations null when nothing was aggregated
   * @param profile where time was spent, as JSON, or null when it was not requested
   * @param aggregationsBytes size of the aggregations on the wire; 0 on the shard that computed
   *     them
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Extras(
      @Nullable Partials aggregations, byte @Nullable [] profile, int aggregationsBytes) {
    static final Extras NOTHING = new Extras(null, null, 0);
  }

  public ShardSearchResult {
    hits = List.copyOf(hits);
  }

  public ShardSearchResult(
      long total,
      boolean exact,
      float maxScore,
      List<ShardHit> hits,
      Cut cut,
      long visibleSeqNo,
      long serviceNanos) {
    this(total, exact, maxScore, hits, cut, visibleSeqNo, serviceNanos, Extras.NOTHING);
  }

  public @Nullable Partials aggregations() {
    return extras.aggregations;
  }

  public byte @Nullable [] profile() {
    return extras.profile;
  }

  /**
   * This result with the visible sequence number and the service time, which the shard copy adds.
   */
  public ShardSearchResult at(long newVisibleSeqNo, long newServiceNanos) {
    return new ShardSearchResult(
        total, exact, maxScore, hits, cut, newVisibleSeqNo, newServiceNanos, extras);
  }

  public ShardSearchResult withHits(List<ShardHit> newHits) {
    return new ShardSearchResult(
        total, exact, maxScore, newHits, cut, visibleSeqNo, serviceNanos, extras);
  }

  public ShardSearchResult withProfile(byte @Nullable [] newProfile) {
    return with(new Extras(extras.aggregations, newProfile, extras.aggregationsBytes));
  }

  /** This result with the totals that an earlier page counted. */
  public ShardSearchResult counted(long newTotal, boolean newExact, float newMaxScore) {
    return new ShardSearchResult(
        newTotal, newExact, newMaxScore, hits, cut, visibleSeqNo, serviceNanos, extras);
  }

  /** This result with the given aggregations, or with null once they have been merged elsewhere. */
  public ShardSearchResult aggregated(@Nullable Partials newAggregations) {
    return aggregated(newAggregations, 0);
  }

  /** This result with aggregations that took that many bytes on the wire. */
  ShardSearchResult aggregated(@Nullable Partials newAggregations, int newAggregationsBytes) {
    return with(new Extras(newAggregations, extras.profile, newAggregationsBytes));
  }

  private ShardSearchResult with(Extras newExtras) {
    return new ShardSearchResult(
        total, exact, maxScore, hits, cut, visibleSeqNo, serviceNanos, newExtras);
  }

  public byte[] toBytes() {
    return toBytes(byte[]::new);
  }

  /**
   * @param largeArrays allocates large arrays; throws when the heap has no room
   */
  public byte[] toBytes(IntFunction<byte[]> largeArrays) {
    Partials aggregations = extras.aggregations;
    byte[] profile = extras.profile;
    return new PackedShardHits(
            total,
            exact,
            maxScore,
            hits,
            cut.code,
            visibleSeqNo,
            serviceNanos,
            profile == null ? new byte[0] : profile,
            aggregations == null ? new byte[0] : aggregations.toBytes(largeArrays))
        .toBytes(largeArrays);
  }

  public static ShardSearchResult fromBytes(byte[] bytes) {
    PackedShardHits packed = PackedShardHits.fromBytes(bytes);
    byte[] profile = packed.profile();
    byte[] aggregations = packed.aggregations();
    return new ShardSearchResult(
            packed.total(),
            packed.exact(),
            packed.maxScore(),
            packed.hits(),
            Cut.of(packed.cut()),
            packed.visibleSeqNo(),
            packed.serviceNanos())
        .withProfile(profile.length == 0 ? null : profile)
        .aggregated(
            aggregations.length == 0 ? null : Partials.fromBytes(aggregations),
            aggregations.length);
  }
}
