package io.varve.coordinator.rest.cat;

import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.ccr.FollowReports;
import io.varve.coordinator.rest.ccr.FollowStats;
import io.varve.rpc.PullerStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code _cat/followers}: the shards of the indices that follow an index of another cluster, and
 * how far each is behind. A value that only the puller knows is empty while no puller reports it. A
 * follower that a user has paused has rows with the state {@code PAUSED}.
 */
final class FollowerTable {

  private static final String PAUSED = "PAUSED";

  private final ClusterAccess cluster;
  private final FollowReports reports;

  FollowerTable(ClusterAccess cluster, FollowReports reports) {
    this.cluster = cluster;
    this.reports = reports;
  }

  private record Row(IndexMetadata index, FollowRelation follow, PullerStats puller) {

    String state() {
      return FollowStats.isShown(index) ? puller.state() : PAUSED;
    }

    @Nullable Object lagOperations() {
      return puller.leaderMaxSeqNo() < 0 ? null : puller.lagOperations();
    }

    @Nullable Object lagBytes() {
      PullerStats.Activity activity = puller.activity();
      return activity == null ? null : new CatTable.Bytes(activity.lagBytes());
    }

    @Nullable Object lag() {
      return puller.lagMillis() < 0
          ? null
          : new CatTable.Time(Duration.ofMillis(puller.lagMillis()));
    }

    String error() {
      return FollowStats.isShown(index) ? puller.lastError() : "";
    }
  }

  Maker prepare(Question question) {
    IndexOptions options = question.options(IndexOptions.SHOW_ALL);
    return () -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> followers =
          IndexResolver.resolve(state, question.expression(), options).stream()
              .filter(index -> index.follow() != null)
              .toList();
      List<PullerStats> pullers = followers.isEmpty() ? List.of() : reports.pullers();
      List<Row> rows = new ArrayList<>();
      for (IndexMetadata index : followers) {
        FollowRelation follow = Objects.requireNonNull(index.follow());
        for (int number = 0; number < index.numberOfShards(); number++) {
          PullerStats puller = FollowStats.pullerOf(index, number, pullers);
          rows.add(new Row(index, follow, puller));
        }
      }
      return columns().table(rows);
    };
  }

  private static Columns<Row> columns() {
    return new Columns<Row>()
        .text("index", "i,idx", "name of the follower index", row -> row.index().name())
        .text("shard", "s,sh", "shard number", row -> row.puller().shardId())
        .text(
            "remote_cluster", "rc", "alias of the leader cluster", r -> r.follow().remoteCluster())
        .text("leader_index", "li", "name of the leader index", row -> row.follow().leaderIndex())
        .text("state", "st", "what the puller is doing", Row::state)
        .number("lag_operations", "lo", "operations that the follower lacks", Row::lagOperations)
        .number("lag_bytes", "lb", "bytes of the leader's log that are not read", Row::lagBytes)
        .number("lag", "l,lm", "time since the follower held all that the leader had", Row::lag)
        .number(
            "follower_checkpoint",
            "fc",
            "seq_no up to which the follower has applied everything",
            known(PullerStats::followerGlobalCheckpoint))
        .number(
            "leader_checkpoint",
            "lc",
            "highest seq_no that is known of the leader",
            known(PullerStats::leaderGlobalCheckpoint))
        .hidden(
            "rebootstraps",
            "rb",
            "how often the follower began again",
            row -> row.follow().rebootstraps())
        .hiddenText("last_error", "le", "why the last attempt failed", Row::error);
  }

  private static Function<Row, @Nullable Object> known(ToLongFunction<PullerStats> value) {
    return row -> {
      long number = value.applyAsLong(row.puller());
      return number < 0 ? null : number;
    };
  }
}
