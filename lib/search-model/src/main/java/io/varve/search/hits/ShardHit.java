package io.varve.search.hits;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hit of one shard.
 *
 * @param score NaN when scores are not computed
 * @param sortValues null, Long, BigInteger, Double, Float, Boolean, String or InetAddress, one for
 *     each sort key; empty when sorted by score alone
 * @param source as indexed, or null when it is not requested or not stored
 * @param extras the optional parts of the hit
 */
@SuppressWarnings("ArrayRecordComponent")
public record ShardHit(
    String id,
    @Nullable String routing,
    float score,
    List<@Nullable Object> sortValues,
    Stamp stamp,
    byte @Nullable [] source,
    Extras extras) {

  /** The write that produced this version of the document. */
  public record Stamp(long version, long seqNo, long primaryTerm) {}

  /**
   * A property of the hit that the shard has already written as JSON.
   *
   * @param json the value of the property
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Part(String name, byte[] json) {}

  /**
   * @param shownSortValues the sort values in the requested format, or null to show the plain ones
   * @param group the value that hits are collapsed by; its type is that of a sort value
   */
  public record Extras(
      List<Part> parts, @Nullable List<@Nullable Object> shownSortValues, @Nullable Object group) {

    public static final Extras NONE = new Extras(List.of(), null, null);

    public Extras {
      parts = List.copyOf(parts);
    }
  }

  public ShardHit {
    // Values may be null, so List.copyOf is no choice; most hits have no value, or one.
    sortValues =
        switch (sortValues.size()) {
          case 0 -> List.of();
          case 1 -> Collections.singletonList(sortValues.getFirst());
          default -> Collections.unmodifiableList(new ArrayList<>(sortValues));
        };
  }

  /** A hit without optional parts. */
  public ShardHit(
      String id,
      @Nullable String routing,
      float score,
      List<@Nullable Object> sortValues,
      Stamp stamp,
      byte @Nullable [] source) {
    this(id, routing, score, sortValues, stamp, source, Extras.NONE);
  }

  public ShardHit withParts(List<Part> more) {
    List<Part> parts = new ArrayList<>(extras.parts);
    parts.addAll(more);
    return new ShardHit(
        id,
        routing,
        score,
        sortValues,
        stamp,
        source,
        new Extras(parts, extras.shownSortValues, extras.group));
  }
}
