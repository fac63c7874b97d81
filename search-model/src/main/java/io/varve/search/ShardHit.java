package io.varve.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hit on one shard.
 *
 * @param score NaN when scores were not asked for
 * @param sortValues null, Long, Double, Float, Boolean, String or InetAddress, one for each key of
 *     the sort; empty when sorted by score alone
 * @param source as sent, or null when it is not asked for or not kept
 */
@SuppressWarnings("ArrayRecordComponent")
public record ShardHit(
    String id,
    @Nullable String routing,
    float score,
    List<@Nullable Object> sortValues,
    Stamp stamp,
    byte @Nullable [] source) {

  /** Which write made the document. */
  public record Stamp(long version, long seqNo, long primaryTerm) {}

  public ShardHit {
    sortValues = Collections.unmodifiableList(new ArrayList<>(sortValues));
  }
}
