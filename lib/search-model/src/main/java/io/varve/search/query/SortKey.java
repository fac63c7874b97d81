package io.varve.search.query;

import io.varve.search.mapping.GeoPoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One key of a sort.
 *
 * @param field a field's name, {@link #SCORE} or {@link #DOC}
 * @param mode selects one of several values; null for the least when ascending and the greatest
 *     when descending
 * @param missing {@code _last}, {@code _first}, or the value that documents without one are sorted
 *     by
 * @param unmappedType type to assume where no mapping has the field, or null to refuse it
 * @param kind the values that are compared
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

  /** The position of a document in a point in time. */
  public static final String SHARD_DOC = "_shard_doc";

  /** A value of {@link #SHARD_DOC} that sorts after all documents. */
  public static final Long BEHIND_ALL = Long.MAX_VALUE;

  public static final String MISSING_LAST = "_last";
  public static final String MISSING_FIRST = "_first";

  /** The selection of one of several values. */
  public enum Mode {
    MIN,
    MAX,
    SUM,
    AVG,
    MEDIAN
  }

  /** The values that a key compares. */
  public sealed interface Kind {

    /** A field's values without options. */
    Kind PLAIN = new Values(null, null, null);

    /**
     * A field's values.
     *
     * @param numericType the type to compare as when it differs between indices, or null
     * @param format of the sort values in the response, or null
     * @param nested the nested objects whose values are used, or null
     */
    record Values(
        @Nullable String numericType, @Nullable String format, @Nullable NestedScope nested)
        implements Kind {}

    /**
     * The distance to the nearest or farthest of some points.
     *
     * @param metersPerUnit of the unit in the response
     * @param plane whether to compute on a plane instead of the globe
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
   * Selects nested objects under a path.
   *
   * @param maxChildren the maximum number of objects to consider per document
   */
  public record NestedScope(
      String path, @Nullable Query filter, int maxChildren, @Nullable NestedScope inner) {

    /** The objects that contain the values. */
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

  /** Whether the greatest of several values is used. */
  public boolean takesGreatest() {
    return mode == null ? descending : mode == Mode.MAX;
  }
}
