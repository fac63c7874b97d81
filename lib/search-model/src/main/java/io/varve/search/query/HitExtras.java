package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a hit shows beside its source.
 *
 * @param explain how its score came about
 * @param fields values read from the source, by name or pattern
 * @param docValues values read from doc values
 * @param stored what of the stored fields
 * @param highlight null for none
 * @param namedScores matched queries show their scores too
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

  /** A field's name, or a pattern of names, and the format of its values. */
  public record FieldSpec(String name, @Nullable String format) {}

  /**
   * @param enabled false: neither id nor source nor any stored field ({@code _none_})
   * @param given whether anything was said, which hides the source unless it is named
   * @param names empty for none but the usual
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
