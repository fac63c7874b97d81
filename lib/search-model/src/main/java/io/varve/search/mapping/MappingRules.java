package io.varve.search.mapping;

import io.varve.analysis.IndexAnalysis;
import java.util.Map;

/**
 * Index settings that affect mappings.
 *
 * @param coerce default of the parameter {@code coerce}
 * @param ignoreMalformed default of the parameter {@code ignore_malformed}
 * @param derivedSource whether sources are reconstructed from other values
 */
public record MappingRules(
    IndexAnalysis analysis,
    boolean coerce,
    boolean ignoreMalformed,
    boolean derivedSource,
    Limits limits) {

  public static final MappingRules DEFAULT = of(Map.of());

  /** Limits on the size of mappings and documents. */
  public record Limits(
      long totalFields, int depth, int nestedFields, int nestedObjects, int fieldNameLength) {}

  /**
   * @param settings flat, under their full names
   */
  public static MappingRules of(Map<String, String> settings) {
    return new MappingRules(
        IndexAnalysis.of(settings),
        Boolean.parseBoolean(settings.getOrDefault("index.mapping.coerce", "true")),
        Boolean.parseBoolean(settings.getOrDefault("index.mapping.ignore_malformed", "false")),
        Boolean.parseBoolean(settings.get("index.derived_source.enabled")),
        new Limits(
            whole(settings, "total_fields", 1000),
            whole(settings, "depth", 20),
            whole(settings, "nested_fields", 50),
            whole(settings, "nested_objects", 10_000),
            whole(settings, "field_name_length", Integer.MAX_VALUE)));
  }

  private static int whole(Map<String, String> settings, String name, int otherwise) {
    String value = settings.get("index.mapping." + name + ".limit");
    return value == null ? otherwise : (int) Math.min(Integer.MAX_VALUE, Long.parseLong(value));
  }
}
