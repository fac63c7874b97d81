package io.varve.coordinator.rest.index;

import io.varve.cluster.AliasMetadata;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.coordinator.rest.alias.AliasJson;
import io.varve.events.Json;
import io.varve.rpc.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Parses the body of a request to create an index: {@code settings}, {@code mappings} and {@code
 * aliases}.
 */
final class IndexBody {

  private IndexBody() {}

  /**
   * @param provided the expression from which the name was resolved
   */
  static ClusterCommand.CreateIndex read(String name, String provided, Map<String, Object> body) {
    Map<String, @Nullable String> settings = new TreeMap<>();
    String mapping = "{}";
    Map<String, AliasMetadata> aliases = Map.of();
    for (Map.Entry<String, Object> part : body.entrySet()) {
      switch (part.getKey()) {
        case "settings" -> settings.putAll(SettingsTree.flatten(object(part)));
        case "mappings" -> mapping = text(object(part));
        case "aliases" -> aliases = AliasJson.readAll(object(part));
        default ->
            throw new ApiException(
                400, "parse_exception", "unknown key [" + part.getKey() + "] for create index");
      }
    }
    return new ClusterCommand.CreateIndex(name, settings, mapping, aliases, null, provided);
  }

  static Map<?, ?> object(Map.Entry<String, Object> part) {
    if (part.getValue() instanceof Map<?, ?> map) {
      return map;
    }
    throw new ApiException(400, "parse_exception", "key [" + part.getKey() + "] must be an object");
  }

  private static String text(Map<?, ?> json) {
    return new String(Json.write(json), StandardCharsets.UTF_8);
  }
}
