package io.varve.search.mapping;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a mapping says beside its fields.
 *
 * @param meta what the user keeps under {@code _meta}
 * @param routingRequired a document without a routing is refused
 */
public record RootOptions(
    SourceOptions source,
    Detection detection,
    List<DynamicTemplate> templates,
    boolean routingRequired,
    Map<String, Object> meta) {

  /** Which part of a document is kept as it was sent; patterns, empty for all and for none. */
  public record SourceOptions(boolean enabled, List<String> includes, List<String> excludes) {

    static final SourceOptions ALL = new SourceOptions(true, List.of(), List.of());

    public SourceOptions {
      includes = List.copyOf(includes);
      excludes = List.copyOf(excludes);
    }

    /** Whether anything is left out. */
    public boolean filters() {
      return !includes.isEmpty() || !excludes.isEmpty();
    }
  }

  /**
   * What new texts are taken for.
   *
   * @param dates one that reads as a date becomes one
   * @param numbers one that reads as a number becomes one
   * @param dateFormats in which dates are looked for
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
