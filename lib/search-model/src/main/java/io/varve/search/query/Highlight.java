package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which parts of which fields are shown with the words found in them marked. */
public record Highlight(List<Field> fields) {

  /** A field's name, or a pattern of names, and how it is marked. */
  public record Field(String name, Options options) {}

  /** How the text is cut into fragments. */
  public enum Boundary {
    SENTENCE,
    WORD,
    CHARS
  }

  /**
   * @param type {@code unified}, {@code plain} or {@code fvh}
   * @param query in place of the search's own, or null
   * @param matchedFields whose matches are put together, empty for the field alone
   * @param encodeHtml the text itself is escaped
   */
  public record Options(
      String type,
      Tags tags,
      Cutting cutting,
      @Nullable Query query,
      List<String> matchedFields,
      boolean requireFieldMatch,
      boolean encodeHtml,
      int maxAnalyzerOffset) {
    public Options {
      matchedFields = List.copyOf(matchedFields);
    }
  }

  /** What stands before and after a word; several are used in turn by the query's parts. */
  public record Tags(List<String> before, List<String> after) {
    public Tags {
      before = List.copyOf(before);
      after = List.copyOf(after);
    }
  }

  /**
   * @param numberOfFragments 0 for the whole text
   * @param byScore the best fragments first
   * @param noMatchSize characters shown of a text without a match
   * @param wholeSpans plain: no fragment ends within a phrase
   */
  public record Cutting(
      int fragmentSize,
      int numberOfFragments,
      boolean byScore,
      int noMatchSize,
      Boundary boundary,
      @Nullable String locale,
      boolean wholeSpans) {}

  public Highlight {
    fields = List.copyOf(fields);
  }
}
