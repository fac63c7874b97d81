package io.varve.coordinator.follow;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterState;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The statistics of auto-follow on this coordinator, shown as {@code auto_follow_stats} of {@code
 * GET /_ccr/stats}. The newest {@value #MOST_ERRORS} errors are kept, one per pattern and index; an
 * error ends when that index is followed. Thread-safe.
 */
final class AutoFollowStats {

  private static final int MOST_ERRORS = 256;

  private record Failure(long timestampMillis, Map<String, Object> exception) {}

  private record Check(long atMillis, long version) {}

  private final InstantSource clock;
  private final Map<String, Failure> errors = new LinkedHashMap<>();
  private final Map<String, Check> checks = new TreeMap<>();
  private long followed;
  private long failed;
  private long failedRequests;

  AutoFollowStats(InstantSource clock) {
    this.clock = clock;
  }

  synchronized void checked(String remoteCluster, long version) {
    checks.put(remoteCluster, new Check(clock.millis(), version));
  }

  synchronized void followed(String pattern, String leaderIndex) {
    followed++;
    errors.remove(key(pattern, leaderIndex));
  }

  synchronized void failed(String pattern, String leaderIndex, Map<String, Object> exception) {
    failed++;
    String key = key(pattern, leaderIndex);
    errors.remove(key);
    errors.put(key, new Failure(clock.millis(), exception));
    if (errors.size() > MOST_ERRORS) {
      errors.remove(errors.keySet().iterator().next());
    }
  }

  /** Counts a failure only once per reason, because each new state of either cluster repeats it. */
  synchronized void refused(String pattern, String leaderIndex, Map<String, Object> exception) {
    Failure known = errors.get(key(pattern, leaderIndex));
    if (known == null || !known.exception().equals(exception)) {
      failed(pattern, leaderIndex, exception);
    }
  }

  /** The state of a remote cluster could not be read. */
  synchronized void failedRequest() {
    failedRequests++;
  }

  private static String key(String pattern, String leaderIndex) {
    return pattern + ":" + leaderIndex;
  }

  /** Errors of patterns that no longer exist, and clusters without patterns, are left out. */
  synchronized Map<String, Object> shown(ClusterState state) {
    errors.keySet().removeIf(key -> !state.autoFollow().containsKey(patternOf(key)));
    Set<String> followedClusters =
        state.autoFollow().values().stream()
            .filter(AutoFollowPattern::active)
            .map(AutoFollowPattern::remoteCluster)
            .collect(Collectors.toSet());
    checks.keySet().retainAll(followedClusters);
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("number_of_failed_follow_indices", failed);
    shown.put("number_of_failed_remote_cluster_state_requests", failedRequests);
    shown.put("number_of_successful_follow_indices", followed);
    shown.put(
        "recent_auto_follow_errors",
        errors.entrySet().stream().map(entry -> error(entry.getKey(), entry.getValue())).toList());
    shown.put(
        "auto_followed_clusters",
        checks.entrySet().stream()
            .map(entry -> cluster(entry.getKey(), entry.getValue()))
            .toList());
    return shown;
  }

  /** The name of an index has no colon. */
  private static String patternOf(String key) {
    return key.substring(0, key.lastIndexOf(':'));
  }

  private static Map<String, Object> error(String key, Failure failure) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("leader_index", key);
    shown.put("timestamp", failure.timestampMillis());
    shown.put("auto_follow_exception", failure.exception());
    return shown;
  }

  private Map<String, Object> cluster(String alias, Check check) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("cluster_name", alias);
    shown.put("last_check_timestamp", check.atMillis());
    shown.put("time_since_last_check_millis", Math.max(0, clock.millis() - check.atMillis()));
    shown.put("last_seen_metadata_version", check.version());
    return shown;
  }
}
