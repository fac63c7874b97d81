package io.varve.search;

import org.jspecify.annotations.Nullable;

/**
 * One key of a sort.
 *
 * @param field a field's name, {@link #SCORE} or {@link #DOC}
 * @param mode which of several values counts; null for the least when ascending and the greatest
 *     when descending
 * @param missing {@code _last}, {@code _first} or a value that stands in for none
 * @param unmappedType the type to assume where no mapping has the field, or null to refuse
 */
public record SortKey(
    String field,
    boolean descending,
    @Nullable Mode mode,
    Object missing,
    @Nullable String unmappedType) {

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
    MAX
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
