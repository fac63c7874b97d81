package io.varve.analysis;

import io.varve.rpc.ApiException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The analysis definitions of an index's settings, {@code index.analysis.KIND.NAME.OPTION}, as
 * options by kind and name. Whether an option is known is checked where the part is built.
 */
record Definitions(Map<String, Map<String, ComponentOptions>> byKind) {

  static final String PREFIX = "index.analysis.";
  static final String ANALYZER = "analyzer";
  static final String NORMALIZER = "normalizer";
  static final String TOKENIZER = "tokenizer";
  static final String FILTER = "filter";
  static final String CHAR_FILTER = "char_filter";

  private static final List<String> KINDS =
      List.of(ANALYZER, NORMALIZER, TOKENIZER, FILTER, CHAR_FILTER);

  /** Throws an {@link ApiException} for a setting that has no kind or name. */
  static Definitions in(Map<String, String> settings) {
    Map<String, Map<String, Map<String, String>>> flat = new TreeMap<>();
    settings.forEach((key, value) -> {
      if (!key.startsWith(PREFIX)) {
        return;
      }
      String[] parts = key.substring(PREFIX.length()).split("\\.", 3);
      if (parts.length < 3) {
        throw AnalysisException.illegal(
            "[" + key + "] is not a parameter of an analyzer or of one of its parts");
      }
      flat.computeIfAbsent(parts[0], _ -> new TreeMap<>())
          .computeIfAbsent(parts[1], _ -> new TreeMap<>())
          .put(parts[2], value);
    });
    Map<String, Map<String, ComponentOptions>> defined = new TreeMap<>();
    flat.forEach((kind, named) -> {
      if (!KINDS.contains(kind)) {
        throw AnalysisException.illegal("unknown setting [" + PREFIX + kind + "]");
      }
      Map<String, ComponentOptions> options = new TreeMap<>();
      named.forEach(
          (name, values) -> options.put(name, ComponentOptions.ofFlat(kind, name, values)));
      defined.put(kind, options);
    });
    return new Definitions(defined);
  }

  /** The definitions of one kind, by name. */
  Map<String, ComponentOptions> of(String kind) {
    return byKind.getOrDefault(kind, Map.of());
  }

  /** The type, which is required. */
  static String type(ComponentOptions options) {
    String type = options.text("type");
    if (type == null) {
      throw AnalysisException.illegal(
          options.kind()
              + " ["
              + options.name()
              + "] must specify either an analyzer type, or a"
              + " tokenizer");
    }
    return type;
  }

  /** The error for an unknown type. */
  static ApiException unknown(ComponentOptions options) {
    return AnalysisException.illegal(
        "Unknown "
            + options.kind()
            + " type ["
            + options.text("type")
            + "] for ["
            + options.name()
            + "]");
  }
}
