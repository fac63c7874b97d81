package io.varve.coordinator.rest.ccr;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.RemoteCluster;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads auto-follow patterns from requests, stores them and shows them. Indices that exist when a
 * pattern is stored are not followed, unless {@code existing_indices} is true.
 */
final class AutoFollowPatterns {

  /** The keys of a body, besides the follow parameters. */
  private static final Set<String> KEYS =
      Set.of(
          "remote_cluster",
          "leader_index_patterns",
          "leader_index_exclusion_patterns",
          "follow_index_pattern",
          "settings",
          "existing_indices");

  private static final int MOST_NAME_BYTES = 255;

  /**
   * A pattern as it was requested.
   *
   * @param existingIndices whether indices that exist already are followed too
   */
  record Wanted(String name, AutoFollowPattern pattern, boolean existingIndices) {}

  private final ClusterAccess cluster;
  private final LeaderClusters leaders;

  AutoFollowPatterns(ClusterAccess cluster, LeaderClusters leaders) {
    this.cluster = cluster;
    this.leaders = leaders;
  }

  /**
   * @throws ApiException 400 for a malformed or incomplete body
   */
  static Wanted read(String name, RestRequest request) {
    Map<String, Object> body = request.bodyAsMap();
    for (String key : body.keySet()) {
      if (!KEYS.contains(key) && !FollowParameterParser.NAMES.contains(key)) {
        throw malformed("unknown field [" + key + "]");
      }
    }
    String remote = text(body, "remote_cluster");
    List<String> patterns = texts(body, "leader_index_patterns");
    List<String> problems = problemsOf(name);
    if (remote == null) {
      problems.add("[remote_cluster] is missing");
    }
    if (patterns.isEmpty()) {
      problems.add("[leader_index_patterns] is missing");
    }
    if (remote == null || !problems.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(problems));
    }
    return new Wanted(
        name,
        new AutoFollowPattern(
            remote,
            patterns,
            texts(body, "leader_index_exclusion_patterns"),
            text(body, "follow_index_pattern"),
            FollowSettings.read(body),
            FollowParameterParser.parse(body),
            true,
            Set.of()),
        flag(body, "existing_indices"));
  }

  /** The reasons for which a pattern cannot have this name. */
  static List<String> problemsOf(String name) {
    List<String> problems = new ArrayList<>();
    if (name.contains(",")) {
      problems.add("[name] name must not contain a ','");
    }
    if (name.startsWith("_")) {
      problems.add("[name] name must not start with '_'");
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_NAME_BYTES) {
      problems.add("[name] name is too long (" + bytes + " > " + MOST_NAME_BYTES + ")");
    }
    return problems;
  }

  void put(Wanted wanted, Duration timeout) throws InterruptedException {
    RemoteCluster.Description remote = leaders.describe(wanted.pattern().remoteCluster());
    AutoFollowPattern pattern = wanted.pattern();
    if (!wanted.existingIndices()) {
      // An index that the former pattern matches is still to be followed if that has failed so far.
      AutoFollowPattern former = cluster.state().autoFollow().get(wanted.name());
      Set<String> existing =
          remote.indices().entrySet().stream()
              .filter(index -> wanted.pattern().matches(index.getKey()))
              .filter(index -> !matches(former, wanted.pattern(), index.getKey()))
              .map(Map.Entry::getValue)
              .collect(Collectors.toSet());
      pattern = pattern.handling(existing, List.of());
    }
    cluster.change(
        new ClusterCommand.PutAutoFollow(wanted.name(), pattern, wanted.existingIndices()),
        timeout);
  }

  private static boolean matches(
      @Nullable AutoFollowPattern former, AutoFollowPattern next, String leaderIndex) {
    return former != null
        && former.remoteCluster().equals(next.remoteCluster())
        && former.matches(leaderIndex);
  }

  void delete(String name, Duration timeout) throws InterruptedException {
    cluster.change(new ClusterCommand.DeleteAutoFollow(name), timeout);
  }

  void activate(String name, boolean active, Duration timeout) throws InterruptedException {
    cluster.change(new ClusterCommand.ActivateAutoFollow(name, active), timeout);
  }

  /**
   * @param name null for all
   */
  Map<String, Object> shown(@Nullable String name) {
    Map<String, AutoFollowPattern> patterns = new TreeMap<>(cluster.state().autoFollow());
    if (name != null) {
      if (!patterns.containsKey(name)) {
        throw new ApiException(
            404, "resource_not_found_exception", "auto-follow pattern [" + name + "] is missing");
      }
      patterns.keySet().retainAll(Set.of(name));
    }
    List<Map<String, Object>> shown = new ArrayList<>();
    patterns.forEach((key, pattern) -> {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", key);
      row.put("pattern", shown(pattern));
      shown.add(row);
    });
    return Map.of("patterns", shown);
  }

  private static Map<String, Object> shown(AutoFollowPattern pattern) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("active", pattern.active());
    shown.put("remote_cluster", pattern.remoteCluster());
    shown.put("leader_index_patterns", pattern.leaderPatterns());
    shown.put("leader_index_exclusion_patterns", pattern.exclusionPatterns());
    if (pattern.followPattern() != null) {
      shown.put("follow_index_pattern", pattern.followPattern());
    }
    if (!pattern.settings().isEmpty()) {
      Map<String, String> set = new TreeMap<>();
      pattern
          .settings()
          .forEach((key, value) -> {
            if (value != null) {
              set.put(key, value);
            }
          });
      shown.put("settings", SettingsTree.nest(set));
    }
    FollowParameters parameters = pattern.parameters();
    if (parameters != null) {
      shown.putAll(parameters.shown());
    }
    return shown;
  }

  private static @Nullable String text(Map<String, Object> body, String key) {
    return switch (body.get(key)) {
      case null -> null;
      case String text when !text.isEmpty() -> text;
      default -> throw malformed("[" + key + "] must be a text");
    };
  }

  private static List<String> texts(Map<String, Object> body, String key) {
    return switch (body.get(key)) {
      case null -> List.of();
      case List<?> list when list.stream().allMatch(String.class::isInstance) ->
          list.stream().map(String.class::cast).toList();
      default -> throw malformed("[" + key + "] must be an array of texts");
    };
  }

  private static boolean flag(Map<String, Object> body, String key) {
    return switch (body.get(key)) {
      case null -> false;
      case Boolean flag -> flag;
      default -> throw malformed("[" + key + "] must be true or false");
    };
  }

  private static ApiException malformed(String reason) {
    return new ApiException(
        ErrorBody.of(400, "x_content_parse_exception", "[put_auto_follow_pattern] " + reason));
  }
}
