package io.varve.conformance.run;

import io.varve.conformance.spec.ApiRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final Map<String, Map<String, Object>> before;

  CleanUp(Server server) {
    this.server = server;
    this.before = settings();
  }

  /** The server is as it was before the first test. */
  void run() {
    run(before);
  }

  /** The same without a single setting. */
  void runToNoSettings() {
    run(Map.of());
  }

  private void run(Map<String, Map<String, Object>> settings) {
    deleteIndices();
    for (String target : DELETIONS) {
      ApiResponse response = call("DELETE", target, null);
      if (response.status() >= 500) {
        throw new CheckFailure("clean-up: DELETE " + target + " gave " + response.text());
      }
    }
    deletePipelines();
    reset(settings);
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

  /** The cluster has the settings of {@code wanted} and no others. */
  private void reset(Map<String, Map<String, Object>> wanted) {
    Map<String, Object> changes = new LinkedHashMap<>();
    settings()
        .forEach((kind, present) -> {
          Map<String, @Nullable Object> values = new LinkedHashMap<>();
          present.keySet().forEach(name -> values.put(name, null));
          values.putAll(wanted.getOrDefault(kind, Map.of()));
          if (!values.equals(present)) {
            changes.put(kind, values);
          }
        });
    if (!changes.isEmpty()) {
      call("PUT", "/_cluster/settings", changes);
    }
  }

  /** What the cluster has, by kind. */
  private Map<String, Map<String, Object>> settings() {
    ApiResponse response = call("GET", "/_cluster/settings?flat_settings=true", null);
    Map<String, Map<String, Object>> settings = new LinkedHashMap<>();
    if (response.status() == 200 && response.parsed() instanceof Map<?, ?> kinds) {
      for (String kind : List.of("persistent", "transient")) {
        Map<String, Object> values = new LinkedHashMap<>();
        if (kinds.get(kind) instanceof Map<?, ?> found) {
          found.forEach((name, value) -> values.put(String.valueOf(name), value));
        }
        settings.put(kind, values);
      }
    }
    return settings;
  }

  private ApiResponse call(String method, String target, @Nullable Object body) {
    List<Object> bodies = body == null ? List.of() : List.of(body);
    return server.send(new ApiRequest(method, target, bodies), Map.of());
  }
}
