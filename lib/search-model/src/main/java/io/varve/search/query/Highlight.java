package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields to highlight, with their options. */
public record Highlight(List<Field> fields) {

  /**
   * @param name the field's name, or a pattern of names
   */
  public record Field(String name, Options options) {}

  /** The boundaries at which a text is split into fragments. */
  public enum Boundary {
    SENTENCE,
    WORD,
    CHARS
  }

  /**
   * @param type {@code unified}, {@code plain} or {@code fvh}
   * @param query highlighted instead of the search's own query, or null
   * @param matchedFields fields whose matches are combined; empty for the field alone
   * @param encodeHtml whether the text is HTML-escaped
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

  /** The tags around a match. With several, each part of the query uses the next one. */
  public record Tags(List<String> before, List<String> after) {
    public Tags {
      before = List.copyOf(before);
      after = List.copyOf(after);
    }
  }

  /**
   * @param numberOfFragments 0 for the whole text
   * @param byScore whether fragments are sorted by score
   * @param noMatchSize length of the fragment shown for a text without a match
   * @param wholeSpans for {@code plain}: whether fragments keep phrases together
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
