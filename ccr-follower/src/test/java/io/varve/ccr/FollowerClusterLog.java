package io.varve.ccr;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterView;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Topics;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The cluster of a follower: its log in memory, and the view of a node that reads this log. */
final class FollowerClusterLog implements AutoCloseable {

  static final Duration SOON = Duration.ofSeconds(60);
  static final String REMOTE = "east";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Topics topics = new Topics("here", 1);
  private long events;

  final InMemoryMessageLog log = new InMemoryMessageLog(threads, () -> 0);
  final ClusterView view = new ClusterView(log.open(topics.clusterLog(), 0), _ -> {});

  FollowerClusterLog() throws Exception {
    view.start();
    append(RecordHeader.fence(1, "c1"));
    happened(new ClusterEvent.ClusterFormed("here", "uuid-of-here"));
  }

  /** Addresses of the coordinators of the other cluster. */
  void seeds(String addresses) throws Exception {
    happened(
        new ClusterEvent.ClusterSettingsChanged(
            Map.of("cluster.remote." + REMOTE + ".seeds", addresses), Map.of()));
  }

  /** An index of two shards, which follows one of the other cluster if a node is given. */
  void createIndex(String name, @Nullable FollowRelation follow) throws Exception {
    happened(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                name,
                uuid(name),
                0,
                Map.of(),
                1,
                "{}",
                1,
                follow,
                IntStream.range(0, 2).mapToObj(number -> shard(name, number)).toList())));
  }

  static FollowRelation pulledBy(@Nullable String nodeId) {
    return new FollowRelation(REMOTE, "books", "uuid-of-leader", nodeId, 1);
  }

  void assign(String name, @Nullable String nodeId, long assignment) throws Exception {
    happened(new ClusterEvent.FollowAssigned(uuid(name), nodeId, assignment));
  }

  static String uuid(String name) {
    return "uuid-of-" + name;
  }

  static ShardRouting shard(String name, int number) {
    return new ShardRouting(
        new ShardId(uuid(name), number),
        0,
        List.of(CopyRouting.unassigned(name + number, true, "INDEX_CREATED")));
  }

  /** Waits until the view has applied the event; returns the version of the resulting state. */
  long happened(ClusterEvent event) throws LogException, InterruptedException {
    append(
        RecordHeader.data(
            1, events++, event.entity().getBytes(StandardCharsets.UTF_8), Json.write(event)));
    if (!view.awaitVersion(events, SOON)) {
      throw new AssertionError("the view did not see event " + events);
    }
    return events;
  }

  private void append(RawRecord record) throws LogException, InterruptedException {
    Appends.await(log.open(topics.clusterLog(), 0), record);
  }

  @Override
  public void close() {
    view.close();
    log.close();
    threads.shutdownNow();
  }
}
