package io.varve.coordinator.rest.template;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.Templates;
import io.varve.cluster.Templates.Content;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.coordinator.rest.alias.AliasJson;
import io.varve.coordinator.rest.alias.GetAliasEndpoint;
import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Converts templates between their JSON and their records. */
public final class TemplateJson {

  private TemplateJson() {}

  static Templates.Legacy readLegacy(Map<String, Object> body) {
    List<String> patterns = null;
    int order = 0;
    Integer version = null;
    Map<String, Object> content = new LinkedHashMap<>();
    for (Map.Entry<String, Object> part : body.entrySet()) {
      switch (part.getKey()) {
        case "index_patterns" -> patterns = strings(part.getKey(), part.getValue());
        case "order" -> order = (int) number(part.getKey(), part.getValue());
        case "version" -> version = (int) number(part.getKey(), part.getValue());
        case "settings", "mappings", "aliases" -> content.put(part.getKey(), part.getValue());
        default ->
            throw new ApiException(
                400, "parse_exception", "unknown key [" + part.getKey() + "] in the template ");
      }
    }
    if (patterns == null || patterns.isEmpty()) {
      throw new ApiException(
          400,
          "action_request_validation_exception",
          "Validation Failed: 1: index patterns are missing;");
    }
    return new Templates.Legacy(patterns, order, version, readContent(content));
  }

  static Templates.Composable readComposable(Map<String, Object> body) {
    List<String> patterns = null;
    List<String> composedOf = List.of();
    Long priority = null;
    Long version = null;
    String meta = null;
    Content content = null;
    for (Map.Entry<String, Object> part : body.entrySet()) {
      Object value = part.getValue();
      switch (part.getKey()) {
        case "index_patterns" -> patterns = strings(part.getKey(), value);
        case "composed_of" -> composedOf = strings(part.getKey(), value);
        case "priority" -> priority = number(part.getKey(), value);
        case "version" -> version = number(part.getKey(), value);
        case "_meta" -> meta = json(object(part.getKey(), value));
        case "template" -> content = readContent(object(part.getKey(), value));
        case "data_stream" ->
            throw new ApiException(
                ErrorBody.illegalArgument(
                    "[data_stream] is not supported: Varve has no data streams"));
        default ->
            throw new ApiException(
                400,
                "x_content_parse_exception",
                "[index_template] unknown field [" + part.getKey() + "]");
      }
    }
    if (patterns == null) {
      throw new ApiException(ErrorBody.illegalArgument("Required [index_patterns]"));
    }
    if (patterns.isEmpty()) {
      throw new ApiException(
          400,
          "action_request_validation_exception",
          "Validation Failed: 1: index patterns are missing;");
    }
    if (priority != null && priority < 0) {
      throw new ApiException(
          400,
          "action_request_validation_exception",
          "Validation Failed: 1: index template priority must be >= 0;");
    }
    return new Templates.Composable(patterns, composedOf, priority, version, meta, content);
  }

  static Templates.Component readComponent(Map<String, Object> body) {
    Content content = null;
    Long version = null;
    String meta = null;
    for (Map.Entry<String, Object> part : body.entrySet()) {
      switch (part.getKey()) {
        case "template" -> content = readContent(object(part.getKey(), part.getValue()));
        case "version" -> version = number(part.getKey(), part.getValue());
        case "_meta" -> meta = json(object(part.getKey(), part.getValue()));
        default ->
            throw new ApiException(
                400,
                "x_content_parse_exception",
                "[component_template] unknown field [" + part.getKey() + "]");
      }
    }
    if (content == null) {
      throw new ApiException(ErrorBody.illegalArgument("Required [template]"));
    }
    return new Templates.Component(content, version, meta);
  }

  private static Content readContent(Map<?, ?> body) {
    Map<String, String> settings = null;
    String mapping = null;
    Map<String, AliasMetadata> aliases = null;
    for (Map.Entry<?, ?> part : body.entrySet()) {
      String key = String.valueOf(part.getKey());
      switch (key) {
        case "settings" -> settings = settings(object(key, part.getValue()));
        case "mappings" -> mapping = json(object(key, part.getValue()));
        case "aliases" -> aliases = AliasJson.readAll(object(key, part.getValue()));
        default ->
            throw new ApiException(
                400, "x_content_parse_exception", "[template] unknown field [" + key + "]");
      }
    }
    return new Content(settings, mapping, aliases);
  }

  private static Map<String, String> settings(Map<?, ?> settings) {
    Map<String, String> flat = new TreeMap<>();
    IndexSettings.normalize(SettingsTree.flatten(settings))
        .forEach((name, value) -> {
          if (value != null) {
            flat.put(name, value);
          }
        });
    return flat;
  }

  private static Map<?, ?> object(String key, @Nullable Object value) {
    return switch (value) {
      case null -> Map.of();
      case Map<?, ?> map -> map;
      default ->
          throw new ApiException(400, "parse_exception", "key [" + key + "] must be an object");
    };
  }

  private static List<String> strings(String key, @Nullable Object value) {
    return switch (value) {
      case null -> List.of();
      case String s -> List.of(s);
      case List<?> list when list.stream().allMatch(String.class::isInstance) ->
          list.stream().map(String.class::cast).toList();
      default ->
          throw new ApiException(
              ErrorBody.illegalArgument(
                  "Malformed [" + key + "] value, should be a string or a list of strings"));
    };
  }

  private static long number(String key, @Nullable Object value) {
    try {
      return Long.parseLong(String.valueOf(value));
    } catch (NumberFormatException e) {
      throw new ApiException(
          ErrorBody.illegalArgument("Malformed [" + key + "] value, should be an integer"));
    }
  }

  private static String json(Map<?, ?> map) {
    return new String(Json.write(map), StandardCharsets.UTF_8);
  }

  public static Map<String, Object> of(Templates.Legacy template, boolean flat) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("order", template.order());
    putIfThere(json, "version", template.version());
    json.put("index_patterns", template.patterns());
    Content content = template.content();
    json.put("settings", settings(content.settingsOrNone(), flat));
    json.put("mappings", Json.mapper().readValue(content.mappingOrNone(), Map.class));
    json.put("aliases", GetAliasEndpoint.shown(content.aliasesOrNone()));
    return json;
  }

  public static Map<String, Object> of(Templates.Composable template, boolean flat) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("index_patterns", template.patterns());
    Content content = template.content();
    if (content != null) {
      json.put("template", of(content, flat));
    }
    json.put("composed_of", template.composedOf());
    putIfThere(json, "priority", template.priority());
    putIfThere(json, "version", template.version());
    putMeta(json, template.meta());
    return json;
  }

  public static Map<String, Object> of(Templates.Component template, boolean flat) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("template", of(template.content(), flat));
    putIfThere(json, "version", template.version());
    putMeta(json, template.meta());
    return json;
  }

  static Map<String, Object> of(Content content, boolean flat) {
    Map<String, Object> json = new LinkedHashMap<>();
    if (content.settings() != null) {
      json.put("settings", settings(content.settings(), flat));
    }
    if (content.mapping() != null) {
      json.put("mappings", Json.mapper().readValue(content.mapping(), Map.class));
    }
    if (content.aliases() != null) {
      json.put("aliases", GetAliasEndpoint.shown(content.aliases()));
    }
    return json;
  }

  private static Map<String, ?> settings(Map<String, String> settings, boolean flat) {
    return flat ? new TreeMap<>(settings) : SettingsTree.nest(settings);
  }

  private static void putMeta(Map<String, Object> json, @Nullable String meta) {
    if (meta != null) {
      json.put("_meta", Json.mapper().readValue(meta, Map.class));
    }
  }

  private static void putIfThere(Map<String, Object> json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }
}
