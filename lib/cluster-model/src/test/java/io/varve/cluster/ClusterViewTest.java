package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.FeatureLevels;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.ForkPlace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

public class ClusterViewTest {

  private static final ShardId SHARD = new ShardId("books-uuid", 0);

  private final InMemoryMessageLog messages = new InMemoryMessageLog(Runnable::run, () -> 0);
  private final PartitionLog log = messages.open("cluster", 0);
  private final ClusterView view = new ClusterView(log, reason -> {});

  private void append(RawRecord record) throws Exception {
    log.append(
        record,
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            assertThat(offset).isNotNegative();
          }

          @Override
          public void unknown(String reason) {
            throw new AssertionError(reason);
          }
        });
  }

  private void append(long term, long seqNo, ClusterEvent event) throws Exception {
    append(
        RecordHeader.data(
            term, seqNo, event.entity().getBytes(StandardCharsets.UTF_8), Json.write(event)));
  }

  @Test
  void appliesOnlyAcceptedEvents() throws Exception {
    append(RecordHeader.fence(1, "a"));
    append(1, 0, new ClusterEvent.ClusterFormed("test", "uuid"));
    view.start();
    assertThat(view.current().clusterName()).isEqualTo("test");
    append(RecordHeader.fence(2, "b"));
    // An event of a fenced leader, a gap in the seq_nos, and a second fence of the same term.
    append(1, 1, new ClusterEvent.NodeJoined(Clusters.node("zombie")));
    append(2, 5, new ClusterEvent.NodeJoined(Clusters.node("hole")));
    append(RecordHeader.fence(2, "c"));
    append(2, 1, new ClusterEvent.NodeJoined(Clusters.node("p", "primary")));
    assertThat(view.current().nodes()).containsOnlyKeys("p");
    assertThat(view.current().version()).isEqualTo(2);
    assertThat(view.current().leaderNodeId()).isEqualTo("b");
    assertThat(view.current().leaderTerm()).isEqualTo(2);
    assertThat(view.position().current()).isEqualTo(7);
  }

  @Test
  void aFailingListenerDoesNotStopTheView() throws Exception {
    List<Long> versions = new ArrayList<>();
    view.start();
    view.listen(state -> {
      if (state.version() == 1) {
        throw new IllegalStateException("on purpose");
      }
    });
    view.listen(state -> versions.add(state.version()));
    append(RecordHeader.fence(1, "a"));
    append(1, 0, new ClusterEvent.ClusterFormed("test", "uuid"));
    append(1, 1, new ClusterEvent.NodeJoined(Clusters.node("p", "primary")));
    assertThat(versions).endsWith(1L, 2L);
    assertThat(view.current().nodes()).containsOnlyKeys("p");
  }

  @Test
  void tellsListenersEachStateInOrder() throws Exception {
    List<Long> versions = new ArrayList<>();
    view.start();
    try (ClusterView.Registration registration = view.listen(s -> versions.add(s.version()))) {
      append(RecordHeader.fence(1, "a"));
      append(1, 0, new ClusterEvent.ClusterFormed("test", "uuid"));
      append(1, 1, new ClusterEvent.NodeJoined(Clusters.node("p", "primary")));
      assertThat(registration).isNotNull();
    }
    append(1, 2, new ClusterEvent.NodeLeft("p", "silent"));
    assertThat(versions).containsExactly(0L, 0L, 1L, 2L);
  }

  @Test
  void waitsForAVersionOrAState() throws Exception {
    view.start();
    append(RecordHeader.fence(1, "a"));
    assertThat(view.awaitVersion(1, Duration.ofMillis(10))).isFalse();
    CompletableFuture<Optional<ClusterState>> waiter =
        CompletableFuture.supplyAsync(() -> {
          try {
            return view.await(s -> s.nodes().size() == 1, Duration.ofMinutes(1));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    append(1, 0, new ClusterEvent.ClusterFormed("test", "uuid"));
    append(1, 1, new ClusterEvent.NodeJoined(Clusters.node("p", "primary")));
    assertThat(waiter.get(1, TimeUnit.MINUTES))
        .hasValueSatisfying(s -> assertThat(s.version()).isEqualTo(2));
    assertThat(view.awaitVersion(2, Duration.ofMillis(10))).isTrue();
    assertThat(view.await(s -> s.nodes().isEmpty(), Duration.ofMillis(10))).isEmpty();
  }

  private long appendSnapshot(long seqNo, ClusterState state) throws Exception {
    long next = seqNo;
    for (ClusterEvent part : ClusterSnapshot.of(state, List.of("gone")).parts(200)) {
      append(1, next++, part);
    }
    return next;
  }

  @Test
  void continuesWithTheSnapshotWhenTheNextRecordWasTruncated() throws Exception {
    Deque<Runnable> deliveries = new ArrayDeque<>();
    Deque<Runnable> later = new ArrayDeque<>();
    InMemoryMessageLog slow = new InMemoryMessageLog(deliveries::add, () -> 0);
    List<String> lost = new ArrayList<>();
    List<Long> versions = new ArrayList<>();
    PartitionLog followed = slow.open("cluster", 0);
    try (ClusterView behind =
        new ClusterView(followed, FeatureLevels.OF_THIS_RELEASE, lost::add, later::add)) {
      behind.start();
      behind.listen(state -> versions.add(state.version()));
      ClusterView ahead = view;
      ahead.start();
      append(RecordHeader.fence(1, "a"));
      append(1, 0, new ClusterEvent.ClusterFormed("test", "uuid"));
      log.read(0, log.endOffset(), stored -> copy(stored.record(), followed));
      runAll(deliveries);
      assertThat(versions).endsWith(1L);
      append(1, 1, new ClusterEvent.NodeJoined(Clusters.node("p", "primary")));
      long from = log.endOffset();
      long next = appendSnapshot(2, ahead.current());
      append(1, next, new ClusterEvent.NodeJoined(Clusters.node("r", "replica")));
      log.read(2, log.endOffset(), stored -> copy(stored.record(), followed));
      followed.truncateBefore(from);

      runAll(deliveries);
      runAll(later);
      runAll(deliveries);

      assertThat(lost).isEmpty();
      assertThat(behind.current()).isEqualTo(ahead.current());
      assertThat(behind.deletedIndices()).containsExactly("gone");
      assertThat(versions).isSorted().endsWith(ahead.current().version());
    }
  }

  private static void copy(RawRecord record, PartitionLog to) {
    try {
      to.append(
          record,
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {
              assertThat(offset).isNotNegative();
            }

            @Override
            public void unknown(String reason) {
              throw new AssertionError(reason);
            }
          });
    } catch (LogException.Full e) {
      throw new AssertionError(e);
    }
  }

  private static void runAll(Deque<Runnable> tasks) {
    while (!tasks.isEmpty()) {
      tasks.poll().run();
    }
  }

  @Test
  void startsWithTheSnapshotAtTheBeginningOfTheLog() throws Exception {
    ClusterView whole = view;
    whole.start();
    append(RecordHeader.fence(1, "a"));
    append(1, 0, new ClusterEvent.ClusterFormed("test", "uuid"));
    long first = log.endOffset();
    long next = appendSnapshot(1, whole.current());
    append(1, next, new ClusterEvent.NodeJoined(Clusters.node("p", "primary")));
    appendSnapshot(next + 1, whole.current());
    assertThat(whole.removableBefore()).isEqualTo(first);
    log.truncateBefore(whole.removableBefore());

    try (ClusterView fresh = new ClusterView(log, reason -> {})) {
      fresh.start();
      assertThat(fresh.current()).isEqualTo(whole.current());
      append(RecordHeader.fence(2, "b"));
      append(1, whole.current().version(), new ClusterEvent.NodeLeft("p", "zombie"));
      append(2, whole.current().version(), new ClusterEvent.NodeLeft("p", "silent"));
      assertThat(fresh.current()).isEqualTo(whole.current());
      assertThat(fresh.current().nodes()).isEmpty();
    }
  }

  @Test
  void aRecreatedTopicIsNotTreatedAsATruncatedOne() throws Exception {
    List<String> lost = new ArrayList<>();
    ClusterView followed =
        new ClusterView(log, FeatureLevels.OF_THIS_RELEASE, lost::add, Runnable::run);
    followed.start();
    append(RecordHeader.fence(1, "a"));
    append(1, 0, new ClusterEvent.ClusterFormed("test", "uuid"));
    messages.deleteTopic("cluster");

    assertThat(lost).hasSize(1);
    assertThat(followed.current().version()).isEqualTo(1);
  }

  public static Stream<ClusterEvent> events() {
    Map<String, @Nullable String> changes = new HashMap<>();
    changes.put("index.refresh_interval", null);
    changes.put("index.number_of_replicas", "2");
    Map<String, @Nullable AliasMetadata> aliases = new HashMap<>();
    aliases.put("gone", null);
    aliases.put("here", new AliasMetadata("{\"match_all\":{}}", "1", "1,2", true, false));
    return Stream.of(
        new ClusterEvent.ClusterFormed("test", "uuid"),
        new ClusterEvent.NodeJoined(Clusters.node("p", "primary", "replica")),
        new ClusterEvent.NodeLeft("p", "silent"),
        new ClusterEvent.IndexCreated(
            Clusters.index("books", 2, 1)
                .withFollow(new FollowRelation("eu", "books", "u", null, 0))),
        new ClusterEvent.IndexCreated(
            Clusters.index("new", 2, 1).withShards(ShardRouting::asNeverStarted)),
        new ClusterEvent.IndexDeleted("books-uuid"),
        new ClusterEvent.IndexClosed("books-uuid"),
        new ClusterEvent.IndexOpened("books-uuid"),
        ClusterEvent.together(
            List.of(
                new ClusterEvent.IndexDeleted("books-uuid"),
                new ClusterEvent.IndexDeleted("other-uuid"))),
        new ClusterEvent.IndexRolledOver(
            Clusters.index("books-2", 1, 0),
            new ClusterEvent.AliasesChanged(Map.of("books-uuid", aliases), List.of())),
        new ClusterEvent.AliasesChanged(Map.of("books-uuid", aliases), List.of("other-uuid")),
        new ClusterEvent.TemplatesChanged(
            Map.of("old", new Templates.Legacy(List.of("a*"), 1, null, Templates.Content.EMPTY)),
            Map.of(
                "new",
                new Templates.Composable(
                    List.of("b*"), List.of("part"), 3L, null, "{\"by\":\"us\"}", null)),
            Map.of(
                "part",
                new Templates.Component(
                    new Templates.Content(Map.of("index.hidden", "true"), "{}", Map.of()),
                    2L,
                    null))),
        new ClusterEvent.MappingChanged("books-uuid", 2, "{\"properties\":{}}"),
        new ClusterEvent.IndexSettingsChanged("books-uuid", 2, changes),
        new ClusterEvent.ClusterSettingsChanged(Map.of("a", "1"), Map.of()),
        new ClusterEvent.PrimaryAssigned(SHARD, "copy", "p", 3),
        new ClusterEvent.ReplicaAssigned(SHARD, "former", "copy", "r"),
        new ClusterEvent.ReplicaPromoted(SHARD, "copy", 4, "NODE_LEFT"),
        new ClusterEvent.CopyStarted(SHARD, "copy", 3),
        new ClusterEvent.CopyUnassigned(SHARD, "copy", "NODE_LEFT"),
        new ClusterEvent.CopiesChanged(
            SHARD, List.of(CopyRouting.unassigned("copy", true, "INDEX_CREATED"))),
        new ClusterEvent.RelocationStarted(SHARD, "copy", "target", "node"),
        new ClusterEvent.HandOverStarted(SHARD, "target", 4),
        new ClusterEvent.RelocationFinished(SHARD, "target"),
        new ClusterEvent.RelocationCancelled(SHARD, "target", 5, "NODE_LEFT"),
        new ClusterEvent.WritersReleased("u1"),
        new ClusterEvent.FollowAssigned("books-uuid", null, 2),
        new ClusterEvent.FollowChanged(
            "books-uuid",
            new FollowRelation("eu", "books", "u", null, 3, FollowParameters.DEFAULTS, true)),
        new ClusterEvent.AutoFollowChanged(
            Map.of(
                "logs",
                new AutoFollowPattern(
                    "eu",
                    List.of("logs-*"),
                    List.of("logs-x*"),
                    "{{leader_index}}-copy",
                    changes,
                    FollowParameters.DEFAULTS,
                    false,
                    Set.of("u1", "u2")))),
        new ClusterEvent.AutoFollowHandled("logs", List.of("u3"), List.of("u1")),
        new ClusterEvent.ShardForked(SHARD, new ForkPlace(900, 4, 299, 77L, 310, 5)),
        new ClusterEvent.ShardRevived(SHARD, "c1", "n1", new Revival(5, 300, 4)),
        new ClusterEvent.LeasesChanged(
            Map.of(
                "books-uuid",
                Map.of("eu-copy", new RetentionLease(7, 8, Map.of(0, 9L, 1, 2L)).overLimit(1, 5)))),
        new ClusterEvent.FollowChanged(
            "books-uuid",
            Replacement.begin(
                "former-uuid", new FollowRelation("eu", "books", "u", null, 3), "u2")),
        new ClusterEvent.FollowChanged(
            "books-uuid",
            Replacement.failback(
                new FollowRelation("west", "copy", "u", null, 3),
                new Failback("former-uuid", Map.of(0, new ForkPlace(900, 4, 299, 77L, 310, 5))))),
        new ClusterEvent.FollowerReplaced("former-uuid", "books-uuid"),
        new ClusterEvent.FollowStatusChanged(
            "books-uuid",
            new FollowStatus(
                3,
                List.of("c1"),
                Map.of(0, new FollowStatus.SkippedOperations(42, 17, 2)),
                "an unknown event")),
        new ClusterEvent.OperationSkipped(SHARD, 42, 17),
        new ClusterEvent.FeatureLevelRaised(2),
        new ClusterEvent.SnapshotPart(0, 2, "{\"format\":1,"));
  }

  @ParameterizedTest
  @MethodSource("events")
  void eventsAreEqualAfterARoundTripThroughJson(ClusterEvent event) {
    byte[] json = Json.write(event);
    assertThat(Json.read(json, ClusterEvent.class)).isEqualTo(event);
    assertThat(new String(json, StandardCharsets.UTF_8)).startsWith("{\"event\":\"");
  }

  @Test
  void everyKindOfEventIsTested() {
    assertThat(events().map(Object::getClass).distinct().toList())
        .hasSameSizeAs(ClusterEvent.class.getPermittedSubclasses());
  }
}
