package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The optional parts of a hit.
 *
 * @param explain whether to explain the score
 * @param fields values read from the source, by name or pattern
 * @param docValues values read from doc values
 * @param stored which stored fields are returned
 * @param highlight null for none
 * @param namedScores whether matched queries are returned with their scores
 */
public record HitExtras(
    boolean explain,
    List<FieldSpec> fields,
    List<FieldSpec> docValues,
    StoredSpec stored,
    @Nullable Highlight highlight,
    boolean namedScores) {

  public static final HitExtras NONE =
      new HitExtras(false, List.of(), List.of(), StoredSpec.DEFAULT, null, false);

  /**
   * @param name the field's name, or a pattern of names
   * @param format of its values, or null for the default
   */
  public record FieldSpec(String name, @Nullable String format) {}

  /**
   * @param enabled false ({@code _none_}) to return neither id nor source nor stored fields
   * @param given whether the request has {@code stored_fields}, which hides the source unless it is
   *     named
   * @param names empty for the default
   */
  public record StoredSpec(boolean enabled, boolean given, List<String> names) {

    public static final StoredSpec DEFAULT = new StoredSpec(true, false, List.of());

    public StoredSpec {
      names = List.copyOf(names);
    }
  }

  public HitExtras {
    fields = List.copyOf(fields);
    docValues = List.copyOf(docValues);
  }
}
