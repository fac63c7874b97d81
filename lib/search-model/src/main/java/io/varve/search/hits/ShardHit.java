package io.varve.search.hits;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hit on one shard.
 *
 * @param score NaN when scores were not asked for
 * @param sortValues null, Long, BigInteger, Double, Float, Boolean, String or InetAddress, one for
 *     each key of the sort; empty when sorted by score alone
 * @param source as sent, or null when it is not asked for or not kept
 * @param extras what else it shows
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

  /** Which write made the document. */
  public record Stamp(long version, long seqNo, long primaryTerm) {}

  /**
   * A property of a hit as the shard writes it.
   *
   * @param json its value
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Part(String name, byte[] json) {}

  /**
   * @param shownSortValues the sort values as a format writes them, where one was asked for
   * @param group the value that hits are collapsed by, of the kinds of sort values
   */
  public record Extras(
      List<Part> parts, @Nullable List<@Nullable Object> shownSortValues, @Nullable Object group) {

    public static final Extras NONE = new Extras(List.of(), null, null);

    public Extras {
      parts = List.copyOf(parts);
    }
  }

  public ShardHit {
    sortValues = Collections.unmodifiableList(new ArrayList<>(sortValues));
  }

  /** A hit that shows nothing more. */
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
