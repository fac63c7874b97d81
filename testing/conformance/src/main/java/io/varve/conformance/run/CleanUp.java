package io.varve.conformance.run;

import io.varve.conformance.spec.ApiRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Resets the server between two tests: deletes contexts, indices, templates and pipelines, and
 * restores the settings that it had before the first test.
 *
 * <p>One read of the cluster state shows what must be deleted. The state does not include contexts,
 * so they are released after each test that may have opened some.
 */
final class CleanUp {

  /** A kind of named objects in the cluster metadata, and the request that deletes all of them. */
  private record Kind(String metadata, String deletion) {}

  /** Component templates are last, because they can't be deleted while they are in use. */
  private static final List<Kind> TEMPLATES =
      List.of(
          new Kind("templates", "/_template/*"),
          new Kind("index_template.index_template", "/_index_template/*"),
          new Kind("component_template.component_template", "/_component_template/*"));

  private static final List<String> CONTEXTS =
      List.of("/_search/point_in_time/_all", "/_search/scroll/_all");

  private static final String METADATA = "/_cluster/state/metadata?expand_wildcards=all";
  private static final String EVERY_INDEX = "/*?expand_wildcards=open,closed,hidden";
  private static final String EVERY_SETTING =
      "/*/_settings?expand_wildcards=open,closed,hidden&ignore_unavailable=true";

  private static final Stash NO_STASH = new Stash();

  private final ServerClient server;
  private final Map<String, Map<String, Object>> before;

  CleanUp(ServerClient server) {
    this.server = server;
    this.before = settings();
  }

  /** Resets the server to its state before the first test. */
  void run() {
    run(before);
  }

  /** Resets the server to its state before the first test, but without any cluster settings. */
  void runToNoSettings() {
    run(Map.of());
  }

  private void run(Map<String, Map<String, Object>> settings) {
    if (server.takeMayHoldContexts()) {
      CONTEXTS.forEach(this::delete);
    }
    ApiResponse state = call("GET", METADATA, null);
    if (holds(state, "indices")) {
      deleteIndices();
    }
    for (Kind kind : TEMPLATES) {
      if (holds(state, kind.metadata())) {
        delete(kind.deletion());
      }
    }
    if (state.find("metadata.ingest.pipeline", NO_STASH) instanceof List<?> pipelines) {
      for (int i = 0; i < pipelines.size(); i++) {
        Object id = state.find("metadata.ingest.pipeline." + i + ".id", NO_STASH);
        delete("/_ingest/pipeline/" + id);
      }
    }
    reset(settings);
  }

  private static boolean holds(ApiResponse state, String kind) {
    Object found = state.find("metadata." + kind, NO_STASH);
    return !(found instanceof Map<?, ?> named && named.isEmpty());
  }

  private void delete(String target) {
    ApiResponse response = call("DELETE", target, null);
    if (response.status() >= 500) {
      throw new CheckFailure("clean-up: DELETE " + target + " gave " + response.text());
    }
  }

  /**
   * Deletes all indices. A failed test may leave an index with a block that prevents its deletion.
   */
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
      throw new CheckFailure("clean-up: indices could not be deleted: " + response.text());
    }
  }

  /** Sets the cluster settings to exactly {@code wanted}. */
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

  /** Returns the cluster settings by kind. */
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
