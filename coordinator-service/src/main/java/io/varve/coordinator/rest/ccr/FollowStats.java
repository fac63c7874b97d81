package io.varve.coordinator.rest.ccr;

import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.IndexMetadata;
import io.varve.rpc.PullerStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The progress of follower indices as {@code _ccr/stats} shows it: the fields of Elasticsearch,
 * then our own ({@code state}, {@code lag_operations}, {@code lag_bytes}, {@code lag_millis},
 * {@code rebootstraps_total}, {@code duplicates_skipped}, {@code gaps_detected}, {@code
 * leader_log_end_offset}, {@code leader_read_offset}, {@code last_error}, {@code
 * leader_mapping_version}, {@code operations_skipped}, {@code refused_operation}, {@code
 * replacement}).
 *
 * <p>Each shard of a follower that no user has paused has a row. A shard whose puller reports
 * nothing has the state {@code UNASSIGNED} and -1 for what only the puller knows; the shards of a
 * follower that this cluster has stopped have the state {@code STOPPED}. If a shard cannot continue
 * without help, the row has a {@code fatal_exception}; an error that the puller retries is a {@code
 * read_exception}. While a successor of a follower copies the leader again, {@code replacement} has
 * its state.
 */
public final class FollowStats {

  private static final String UNASSIGNED = "UNASSIGNED";
  private static final String STOPPED = "STOPPED";

  /**
   * The data from which the rows are built.
   *
   * @param state of this cluster
   * @param pullers reports of all pullers
   */
  record Sources(ClusterState state, List<PullerStats> pullers) {}

  /** Whether the index has rows: a follower that no user has paused. */
  public static boolean isShown(IndexMetadata index) {
    FollowRelation follow = index.follow();
    return follow != null && (!follow.paused() || follow.stopped().isPresent());
  }

  private FollowStats() {}

  static Map<String, Object> indices(List<IndexMetadata> followers, Sources sources) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (IndexMetadata index : followers) {
      FollowRelation follow = index.follow();
      if (follow != null && isShown(index)) {
        rows.add(index(index, follow, sources));
      }
    }
    return Map.of("indices", rows);
  }

  /** The statistics to show if the leading coordinator does not answer. */
  static Map<String, Object> autoFollow() {
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("number_of_failed_follow_indices", 0);
    stats.put("number_of_failed_remote_cluster_state_requests", 0);
    stats.put("number_of_successful_follow_indices", 0);
    stats.put("recent_auto_follow_errors", List.of());
    stats.put("auto_followed_clusters", List.of());
    return stats;
  }

  private static Map<String, Object> index(
      IndexMetadata index, FollowRelation follow, Sources sources) {
    List<Map<String, Object>> shards = new ArrayList<>();
    Optional<IndexMetadata> successor = successor(sources.state(), index);
    long lag = 0;
    for (int number = 0; number < index.numberOfShards(); number++) {
      PullerStats puller =
          PrimaryFailure.explained(
              sources.state(), index, pullerOf(index, number, sources.pullers()));
      lag += lag(puller);
      Map<String, Object> shard = shard(index, follow, puller);
      if (successor.isPresent()) {
        shard.put("replacement", replacement(successor.get(), number, sources.pullers()));
      }
      shards.add(shard);
    }
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("index", index.name());
    row.put("total_global_checkpoint_lag", lag);
    row.put("shards", shards);
    return row;
  }

  /**
   * The report on the shard of a follower index; one with the state {@code UNASSIGNED} or {@code
   * STOPPED}, and -1 for what only the puller knows, if there is none.
   */
  public static PullerStats pullerOf(IndexMetadata index, int number, List<PullerStats> pullers) {
    return pullers.stream()
        .filter(p -> p.indexUuid().equals(index.uuid()) && p.shardId() == number)
        .findFirst()
        .orElseGet(() -> silent(index, number));
  }

  /** The index that copies the leader again in order to replace that follower. */
  static Optional<IndexMetadata> successor(ClusterState state, IndexMetadata index) {
    return state.indices().values().stream()
        .filter(other -> other.follow() != null)
        .filter(other -> other.follow().replaces().filter(index.uuid()::equals).isPresent())
        .findFirst();
  }

  /** The same shard of the index that copies the leader again. */
  private static Map<String, Object> replacement(
      IndexMetadata successor, int number, List<PullerStats> pullers) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("index", successor.name());
    if (number < successor.numberOfShards()) {
      PullerStats puller = pullerOf(successor, number, pullers);
      shown.put("state", puller.state());
      shown.put("last_error", puller.lastError());
    }
    return shown;
  }

  private static long lag(PullerStats puller) {
    return Math.max(0, puller.leaderGlobalCheckpoint() - puller.followerGlobalCheckpoint());
  }

  private static PullerStats silent(IndexMetadata index, int number) {
    Optional<String> stopped = Objects.requireNonNull(index.follow()).stopped();
    return new PullerStats(
        index.uuid(),
        number,
        stopped.isPresent() ? STOPPED : UNASSIGNED,
        -1,
        -1,
        -1,
        -1,
        -1,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        -1,
        -1,
        -1,
        -1,
        stopped.orElse("no node reports a puller of this shard"),
        null,
        null);
  }

  private static Map<String, Object> shard(
      IndexMetadata index, FollowRelation follow, PullerStats puller) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("remote_cluster", follow.remoteCluster());
    row.put("leader_index", follow.leaderIndex());
    row.put("follower_index", index.name());
    row.put("shard_id", puller.shardId());
    row.put("leader_global_checkpoint", puller.leaderGlobalCheckpoint());
    row.put("leader_max_seq_no", puller.leaderMaxSeqNo());
    row.put("follower_global_checkpoint", puller.followerGlobalCheckpoint());
    row.put("follower_max_seq_no", puller.followerMaxSeqNo());
    row.put("last_requested_seq_no", puller.lastRequestedSeqNo());
    reads(row, puller);
    row.put("follower_mapping_version", index.mappingVersion());
    row.put("follower_settings_version", index.settingsVersion());
    row.put("follower_aliases_version", index.access().aliasesVersion());
    requests(row, puller);
    errors(row, puller);
    row.put("rebootstraps_total", follow.rebootstraps());
    own(row, puller);
    taken(row, follow.currentStatus(), puller);
    return row;
  }

  /** Nothing from a node of an older release. */
  static PullerStats.Activity activity(PullerStats puller) {
    return Objects.requireNonNullElse(puller.activity(), PullerStats.Activity.NONE);
  }

  private static void reads(Map<String, Object> row, PullerStats puller) {
    PullerStats.Activity activity = activity(puller);
    row.put("outstanding_read_requests", activity.outstandingReads());
    row.put("outstanding_write_requests", activity.outstandingWrites());
    row.put("write_buffer_operation_count", activity.bufferedOperations());
    row.put("write_buffer_size_in_bytes", activity.bufferedBytes());
    row.put("time_since_last_read_millis", puller.timeSinceLastReadMillis());
  }

  private static void requests(Map<String, Object> row, PullerStats puller) {
    PullerStats.Activity activity = activity(puller);
    row.put("total_read_time_millis", activity.readMillis());
    // A broker does not report how long it worked on a read.
    row.put("total_read_remote_exec_time_millis", 0);
    row.put("successful_read_requests", puller.successfulReadRequests());
    row.put("failed_read_requests", activity.failedReads());
    row.put("operations_read", puller.operationsRead());
    row.put("bytes_read", puller.bytesRead());
    row.put("total_write_time_millis", activity.writeMillis());
    row.put("successful_write_requests", puller.successfulWriteRequests());
    row.put("failed_write_requests", puller.failedWriteRequests());
    row.put("operations_written", puller.operationsWritten());
  }

  private static void own(Map<String, Object> row, PullerStats puller) {
    PullerStats.Activity activity = activity(puller);
    row.put("state", puller.state());
    row.put("lag_operations", puller.lagOperations());
    row.put("lag_bytes", activity.lagBytes());
    row.put("lag_millis", puller.lagMillis());
    row.put("duplicates_skipped", activity.duplicatesSkipped());
    row.put("gaps_detected", activity.gapsDetected());
    row.put("leader_log_end_offset", puller.leaderLogEndOffset());
    row.put("leader_read_offset", puller.leaderReadOffset());
    row.put("last_error", puller.lastError());
  }

  private static void taken(Map<String, Object> row, FollowStatus status, PullerStats puller) {
    row.put("leader_mapping_version", status.leaderMappingVersion());
    FollowStatus.SkippedOperations skipped = status.skipped().get(puller.shardId());
    row.put("operations_skipped", skipped == null ? 0 : skipped.total());
    PullerStats.Refused refused = puller.refused();
    if (refused != null) {
      row.put(
          "refused_operation",
          Map.of("leader_offset", refused.leaderOffset(), "seq_no", refused.seqNo()));
    }
  }

  private static void errors(Map<String, Object> row, PullerStats puller) {
    Optional<String> fatalType = fatalType(puller.state());
    boolean fatal = fatalType.isPresent();
    boolean retried = !fatal && !puller.lastError().isEmpty();
    row.put(
        "read_exceptions",
        retried
            ? List.of(
                Map.of(
                    "from_seq_no",
                    puller.followerGlobalCheckpoint() + 1,
                    "retries",
                    activity(puller).retries(),
                    "exception",
                    exception("exception", puller)))
            : List.of());
    fatalType.ifPresent(type -> row.put("fatal_exception", exception(type, puller)));
  }

  /** The type of the exception because of which a puller cannot continue; empty if it can. */
  static Optional<String> fatalType(String state) {
    return switch (state) {
      case "LOST" -> Optional.of("resource_not_found_exception");
      case "DELETED" -> Optional.of("index_not_found_exception");
      case "REFUSED", STOPPED -> Optional.of("exception");
      default -> Optional.empty();
    };
  }

  private static Map<String, Object> exception(String type, PullerStats puller) {
    return Map.of("type", type, "reason", puller.lastError());
  }
}
