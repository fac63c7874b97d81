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
 * What a shard found.
 *
 * @param total hits counted; {@link #NOT_COUNTED} when counting was switched off
 * @param exact false when there may be more than {@code total}
 * @param maxScore NaN when there is none
 * @param hits the first {@code from + size} in order
 * @param cut what ended the search early
 * @param visibleSeqNo every operation of the shard up to this one was seen
 * @param serviceNanos time that the shard worked on it
 * @param beside what else was asked for
 */
public record ShardSearchResult(
    long total,
    boolean exact,
    float maxScore,
    List<ShardHit> hits,
    Cut cut,
    long visibleSeqNo,
    long serviceNanos,
    Beside beside) {

  public static final long NOT_COUNTED = SearchHits.NOT_COUNTED;

  /** What ended a search before it had seen everything. */
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
      throw new MalformedRecordException("a search was cut for reason " + code);
    }
  }

  /**
   * What is found beside the hits.
   *
   * @param aggregations null when nothing was to be aggregated
   * @param profile where the time went, as JSON, or null when it wasn't asked for
   * @param aggregationsBytes what the aggregations took on the wire; 0 where they were made
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Beside(
      @Nullable Partials aggregations, byte @Nullable [] profile, int aggregationsBytes) {
    static final Beside NOTHING = new Beside(null, null, 0);
  }

  public ShardSearchResult {
    hits = List.copyOf(hits);
  }

  /** Hits alone. */
  public ShardSearchResult(
      long total,
      boolean exact,
      float maxScore,
      List<ShardHit> hits,
      Cut cut,
      long visibleSeqNo,
      long serviceNanos) {
    this(total, exact, maxScore, hits, cut, visibleSeqNo, serviceNanos, Beside.NOTHING);
  }

  public @Nullable Partials aggregations() {
    return beside.aggregations;
  }

  public byte @Nullable [] profile() {
    return beside.profile;
  }

  /** The same with what the copy knows beside the searcher. */
  public ShardSearchResult at(long newVisibleSeqNo, long newServiceNanos) {
    return new ShardSearchResult(
        total, exact, maxScore, hits, cut, newVisibleSeqNo, newServiceNanos, beside);
  }

  /** The same with other hits. */
  public ShardSearchResult withHits(List<ShardHit> newHits) {
    return new ShardSearchResult(
        total, exact, maxScore, newHits, cut, visibleSeqNo, serviceNanos, beside);
  }

  /** The same with where the time went. */
  public ShardSearchResult withProfile(byte @Nullable [] newProfile) {
    return with(new Beside(beside.aggregations, newProfile, beside.aggregationsBytes));
  }

  /** The same with what an earlier page counted. */
  public ShardSearchResult counted(long newTotal, boolean newExact, float newMaxScore) {
    return new ShardSearchResult(
        newTotal, newExact, newMaxScore, hits, cut, visibleSeqNo, serviceNanos, beside);
  }

  /** The same with what was aggregated, or null once that was taken over. */
  public ShardSearchResult aggregated(@Nullable Partials newAggregations) {
    return aggregated(newAggregations, 0);
  }

  /** The same with what came over the wire, in so many bytes. */
  ShardSearchResult aggregated(@Nullable Partials newAggregations, int newAggregationsBytes) {
    return with(new Beside(newAggregations, beside.profile, newAggregationsBytes));
  }

  private ShardSearchResult with(Beside newBeside) {
    return new ShardSearchResult(
        total, exact, maxScore, hits, cut, visibleSeqNo, serviceNanos, newBeside);
  }

  public byte[] toBytes() {
    return toBytes(byte[]::new);
  }

  /**
   * @param largeArrays allocates large arrays, and throws where the heap has no room
   */
  public byte[] toBytes(IntFunction<byte[]> largeArrays) {
    Partials aggregations = beside.aggregations;
    byte[] profile = beside.profile;
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
