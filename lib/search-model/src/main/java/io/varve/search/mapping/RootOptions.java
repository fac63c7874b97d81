package io.varve.search.mapping;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The root options of a mapping.
 *
 * @param meta user data under {@code _meta}
 * @param routingRequired whether documents without a routing are refused
 */
public record RootOptions(
    SourceOptions source,
    Detection detection,
    List<DynamicTemplate> templates,
    boolean routingRequired,
    Map<String, Object> meta) {

  /**
   * The part of a document that is stored as source. Includes and excludes are patterns; both are
   * empty to store all of it.
   */
  public record SourceOptions(boolean enabled, List<String> includes, List<String> excludes) {

    static final SourceOptions ALL = new SourceOptions(true, List.of(), List.of());

    public SourceOptions {
      includes = List.copyOf(includes);
      excludes = List.copyOf(excludes);
    }

    /** Whether part of the source is omitted. */
    public boolean filters() {
      return !includes.isEmpty() || !excludes.isEmpty();
    }
  }

  /**
   * Type detection for new fields.
   *
   * @param dates whether strings that parse as a date become dates
   * @param numbers whether strings that parse as a number become numbers
   * @param dateFormats the formats that are tried
   */
  public record Detection(boolean dates, boolean numbers, List<String> dateFormats) {

    static final List<String> DATE_FORMATS =
        List.of("strict_date_optional_time", "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis");

    static final Detection DEFAULT = new Detection(true, false, DATE_FORMATS);

    public Detection {
      dateFormats = List.copyOf(dateFormats);
    }
  }

  static final RootOptions DEFAULT =
      new RootOptions(SourceOptions.ALL, Detection.DEFAULT, List.of(), false, Map.of());

  public RootOptions {
    templates = List.copyOf(templates);
    meta = Collections.unmodifiableMap(new LinkedHashMap<>(meta));
  }
}
