package io.varve.conformance.run;

import io.varve.conformance.spec.ApiRequest;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the server empty again between two tests: contexts, indices, templates, pipelines, settings
 * but those that it had before the first. An endpoint that does not exist has nothing to be
 * cleaned.
 */
final class CleanUp {

  private static final List<String> DELETIONS =
      List.of(
          "/_search/point_in_time/_all",
          "/_search/scroll/_all",
          "/_template/*",
          "/_index_template/*",
          "/_component_template/*");

  private static final String EVERY_INDEX = "/*?expand_wildcards=open,closed,hidden";
  private static final String EVERY_SETTING =
      "/*/_settings?expand_wildcards=open,closed,hidden&ignore_unavailable=true";

  private final Server server;
  private final Set<String> kept = new HashSet<>();

  CleanUp(Server server) {
    this.server = server;
    settings().values().forEach(kept::addAll);
  }

  void run() {
    deleteIndices();
    for (String target : DELETIONS) {
      ApiResponse response = call("DELETE", target, null);
      if (response.status() >= 500) {
        throw new CheckFailure("clean-up: DELETE " + target + " gave " + response.text());
      }
    }
    deletePipelines();
    resetSettings();
  }

  /** A test that failed may leave an index that a block keeps from being deleted. */
  private void deleteIndices() {
    ApiResponse response = call("DELETE", EVERY_INDEX, null);
    if (response.status() == 403 || response.status() == 429) {
      Map<String, @Nullable Object> blocks = new LinkedHashMap<>();
      blocks.put("index.blocks.read_only", null);
      blocks.put("index.blocks.read_only_allow_delete", null);
      blocks.put("index.blocks.metadata", null);
      call("PUT", EVERY_SETTING, blocks);
      response = call("DELETE", EVERY_INDEX, null);
    }
    if (response.status() >= 400) {
      throw new CheckFailure("clean-up: the indices stay, " + response.text());
    }
  }

  private void deletePipelines() {
    ApiResponse pipelines = call("GET", "/_ingest/pipeline", null);
    if (pipelines.status() == 200 && pipelines.parsed() instanceof Map<?, ?> map) {
      map.keySet().forEach(name -> call("DELETE", "/_ingest/pipeline/" + name, null));
    }
  }

  private void resetSettings() {
    Map<String, Object> reset = new LinkedHashMap<>();
    settings()
        .forEach((kind, names) -> {
          Map<String, @Nullable Object> nulls = new LinkedHashMap<>();
          names.stream()
              .filter(name -> !kept.contains(name))
              .forEach(name -> nulls.put(name, null));
          if (!nulls.isEmpty()) {
            reset.put(kind, nulls);
          }
        });
    if (!reset.isEmpty()) {
      call("PUT", "/_cluster/settings", reset);
    }
  }

  /** Names of the settings that the cluster has, by kind. */
  private Map<String, List<String>> settings() {
    ApiResponse response = call("GET", "/_cluster/settings?flat_settings=true", null);
    if (response.status() != 200 || !(response.parsed() instanceof Map<?, ?> kinds)) {
      return Map.of();
    }
    Map<String, List<String>> names = new LinkedHashMap<>();
    for (String kind : List.of("persistent", "transient")) {
      if (kinds.get(kind) instanceof Map<?, ?> values) {
        names.put(kind, values.keySet().stream().map(String::valueOf).toList());
      }
    }
    return names;
  }

  private ApiResponse call(String method, String target, @Nullable Object body) {
    List<Object> bodies = body == null ? List.of() : List.of(body);
    return server.send(new ApiRequest(method, target, bodies), Map.of());
  }
}
