package io.varve.search.mapping;

import io.varve.search.mapping.RootOptions.Detection;
import io.varve.search.mapping.RootOptions.SourceOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the root options of a mapping and removes them from it. */
final class RootParser {

  private RootParser() {}

  static RootOptions parse(Map<String, Object> rest) {
    Object meta = rest.remove("_meta");
    fieldNames(rest.remove("_field_names"));
    return new RootOptions(
        source(rest.remove("_source")),
        detection(rest),
        templates(rest.remove("dynamic_templates")),
        routing(rest.remove("_routing")),
        meta == null ? Map.of() : MappingParser.map("_meta", meta));
  }

  private static Detection detection(Map<String, Object> rest) {
    List<String> formats = texts(rest.remove("dynamic_date_formats"));
    List<String> given = formats == null ? texts(rest.remove("date_formats")) : formats;
    List<String> used = given == null ? Detection.DATE_FORMATS : given;
    for (String format : used) {
      try {
        var _ = DateFormat.of(format);
      } catch (IllegalArgumentException e) {
        throw MappingErrors.illegal(String.valueOf(e.getMessage()));
      }
    }
    return new Detection(
        MappingParser.flag("date_detection", rest.remove("date_detection"), true),
        MappingParser.flag("numeric_detection", rest.remove("numeric_detection"), false),
        used);
  }

  private static SourceOptions source(@Nullable Object value) {
    if (value == null) {
      return SourceOptions.ALL;
    }
    Map<String, Object> source = new LinkedHashMap<>(MappingParser.map("_source", value));
    boolean enabled = MappingParser.flag("enabled", source.remove("enabled"), true);
    List<String> includes = texts(source.remove("includes"));
    List<String> excludes = texts(source.remove("excludes"));
    refuseRest("_source", source);
    return new SourceOptions(
        enabled, includes == null ? List.of() : includes, excludes == null ? List.of() : excludes);
  }

  private static boolean routing(@Nullable Object value) {
    if (value == null) {
      return false;
    }
    Map<String, Object> routing = new LinkedHashMap<>(MappingParser.map("_routing", value));
    boolean required = MappingParser.flag("required", routing.remove("required"), false);
    refuseRest("_routing", routing);
    return required;
  }

  /**
   * Checks {@code _field_names}, which has no effect: how field names are indexed is not
   * configurable.
   */
  private static void fieldNames(@Nullable Object value) {
    if (value == null) {
      return;
    }
    Map<String, Object> names = new LinkedHashMap<>(MappingParser.map("_field_names", value));
    if (names.remove("enabled") != null) {
      throw MappingErrors.parsing(
          "The `enabled` setting for the `_field_names` field has been deprecated and removed."
              + " Please remove it from your mappings and templates.");
    }
    refuseRest("_field_names", names);
  }

  private static void refuseRest(String field, Map<String, Object> rest) {
    if (!rest.isEmpty()) {
      throw MappingErrors.parsing(
          "unknown parameter ["
              + rest.keySet().iterator().next()
              + "] on metadata field ["
              + field
              + "]");
    }
  }

  private static List<DynamicTemplate> templates(@Nullable Object value) {
    List<DynamicTemplate> templates = new ArrayList<>();
    if (value == null) {
      return templates;
    }
    String form = "Dynamic template syntax error. An array of named objects is expected.";
    if (!(value instanceof List<?> list)) {
      throw MappingErrors.parsing(form);
    }
    for (Object one : list) {
      if (!(one instanceof Map<?, ?> named) || named.size() != 1) {
        throw MappingErrors.parsing("A dynamic template must be defined with a name");
      }
      named.forEach((name, definition) ->
          templates.add(
              DynamicTemplate.parse(
                  String.valueOf(name), MappingParser.map(String.valueOf(name), definition))));
    }
    return templates;
  }

  private static @Nullable List<String> texts(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case List<?> list -> list.stream().map(String::valueOf).toList();
      default -> List.of(value.toString());
    };
  }
}
