package io.varve.search.query;

import io.varve.search.mapping.GeoPoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One key of a sort.
 *
 * @param field a field's name, {@link #SCORE} or {@link #DOC}
 * @param mode which of several values counts; null for the least when ascending and the greatest
 *     when descending
 * @param missing {@code _last}, {@code _first} or a value that stands in for none
 * @param unmappedType the type to assume where no mapping has the field, or null to refuse
 * @param kind what is sorted by
 */
public record SortKey(
    String field,
    boolean descending,
    @Nullable Mode mode,
    Object missing,
    @Nullable String unmappedType,
    Kind kind) {

  public static final String SCORE = "_score";
  public static final String DOC = "_doc";

  /** The place of a document in a point in time. */
  public static final String SHARD_DOC = "_shard_doc";

  /** A value of {@link #SHARD_DOC} that no document has. */
  public static final Long BEHIND_ALL = Long.MAX_VALUE;

  public static final String MISSING_LAST = "_last";
  public static final String MISSING_FIRST = "_first";

  /** Which of a field's values counts. */
  public enum Mode {
    MIN,
    MAX,
    SUM,
    AVG,
    MEDIAN
  }

  /** What a key sorts by. */
  public sealed interface Kind {

    /** A field's values as they are. */
    Kind PLAIN = new Values(null, null, null);

    /**
     * A field's values.
     *
     * @param numericType the type to compare as, over indices with different ones, or null
     * @param format how the answer shows them, or null
     * @param nested the parts of a document that count, or null
     */
    record Values(
        @Nullable String numericType, @Nullable String format, @Nullable NestedScope nested)
        implements Kind {}

    /**
     * The distance from the nearest or farthest of some points, in units.
     *
     * @param metersPerUnit of the values that the answer shows
     * @param plane as if the earth were flat
     */
    record Distance(
        List<GeoPoint> points,
        double metersPerUnit,
        boolean plane,
        boolean ignoreUnmapped,
        @Nullable NestedScope nested)
        implements Kind {
      public Distance {
        points = List.copyOf(points);
      }
    }
  }

  /**
   * The parts of a document under a path, and which of them.
   *
   * @param maxChildren of one document that are looked at
   */
  public record NestedScope(
      String path, @Nullable Query filter, int maxChildren, @Nullable NestedScope inner) {

    /** The parts that have the values. */
    public NestedScope innermost() {
      return inner == null ? this : inner.innermost();
    }
  }

  public SortKey(
      String field,
      boolean descending,
      @Nullable Mode mode,
      Object missing,
      @Nullable String unmappedType) {
    this(field, descending, mode, missing, unmappedType, Kind.PLAIN);
  }

  public static SortKey by(String field, boolean descending) {
    return new SortKey(field, descending, null, MISSING_LAST, null);
  }

  public boolean isScore() {
    return field.equals(SCORE);
  }

  public boolean isDoc() {
    return field.equals(DOC);
  }

  public boolean isShardDoc() {
    return field.equals(SHARD_DOC);
  }

  /** Whether the greatest of several values counts. */
  public boolean takesGreatest() {
    return mode == null ? descending : mode == Mode.MAX;
  }
}
