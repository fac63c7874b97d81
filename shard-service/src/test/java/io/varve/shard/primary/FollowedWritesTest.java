package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.events.Feature;
import io.varve.events.Operation;
import io.varve.host.NodeWorld;
import io.varve.rpc.ApiException;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.ReplicateWire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A follower's primary takes operations under the mapping of its leader, or refuses them. */
class FollowedWritesTest extends PrimaryCopyWorld {

  private static final String UUID = NodeWorld.SHARD.indexUuid();
  private static final String WITH_PAGES =
      "{\"properties\":{\"title\":{\"type\":\"text\"},\"pages\":{\"type\":\"long\"}}}";

  private PrimaryCopy copy;

  @BeforeEach
  void aFollower() throws Exception {
    world.happened(new ClusterEvent.FeatureLevelRaised(Feature.FOLLOW_STATUS.since()));
    world.createIndex(
        Map.of("index.refresh_interval", "-1"),
        MAPPING,
        new FollowRelation("remote", "books", "uuid", "f1", 3));
    copy = new PrimaryCopy(world.copy("n1"), 1, new WritePressure(1 << 20), null);
    open.add(copy);
    CompletableFuture<Void> start = CompletableFuture.runAsync(this::start);
    Awaitility.await()
        .atMost(LONG)
        .until(() -> copy.bootstrap().state() == BootstrapWire.State.AWAITED);
    assertThat(copy.bootstrap(3, BootstrapWire.Plan.REPLAY).state())
        .isEqualTo(BootstrapWire.State.AWAITED);
    start.get(60, TimeUnit.SECONDS);
    leaderMappingTaken(1);
  }

  private void start() {
    try {
      copy.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void leaderMappingTaken(long version) {
    world.happened(
        new ClusterEvent.FollowStatusChanged(
            UUID, FollowStatus.NEW.withLeaderMappingVersion(version)));
  }

  /** The leader's offset is the seq_no plus 100. */
  private static Operation operation(long seqNo, long mappingVersion, @Nullable String source) {
    return new Operation(
        7,
        seqNo,
        1,
        mappingVersion,
        "b" + seqNo,
        null,
        source == null ? null : source.getBytes(StandardCharsets.UTF_8),
        new Operation.Origin(seqNo + 100, 7, seqNo + 1_000));
  }

  private ReplicateWire.Answer replicate(Operation... operations) throws Exception {
    return copy.replicate(3, List.of(operations), LONG);
  }

  @Test
  void anOperationWaitsForTheVersionOfTheLeadersMappingThatItNeeds() throws Exception {
    CompletableFuture<Integer> applied =
        CompletableFuture.supplyAsync(() -> {
          try {
            return replicate(operation(0, 2, "{\"pages\":3}")).applied();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat(applied).isNotDone();

    world.happened(new ClusterEvent.MappingChanged(UUID, 2, WITH_PAGES));
    leaderMappingTaken(2);

    assertThat(applied.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(world.leader.newFields).as("fields derived here").isEmpty();
  }

  /** The documents of a nested field are documents of Lucene, but no operations. */
  @Test
  void nestedDocumentsAreOneOperation() throws Exception {
    world.happened(
        new ClusterEvent.MappingChanged(
            UUID,
            2,
            """
            {"properties":{"title":{"type":"text"},
             "chapters":{"type":"nested","properties":{"name":{"type":"keyword"}}}}}\
            """));
    leaderMappingTaken(2);
    String nested = "{\"title\":\"a\",\"chapters\":[{\"name\":\"1\"},{\"name\":\"2\"}]}";

    assertThat(replicate(operation(0, 2, nested), operation(1, 2, nested)).applied()).isEqualTo(2);

    assertThat(replicate(operation(1, 2, nested), operation(2, 2, null)).applied()).isEqualTo(1);
    var _ = copy.refresh(LONG);
    assertThat(copy.stats().docs()).as("documents of Lucene").isEqualTo(6);
  }

  /** A commit with the origin of an earlier operation would end the failback as diverged. */
  @Test
  void theOriginOfAnOperationIsKnownWhenTheCheckpointIncludesIt() throws Exception {
    CompletableFuture<Long> origin = copy.readable().reached(0).thenApply(_ -> lastOriginOffset());

    var _ = replicate(operation(0, 1, "{\"title\":\"1\"}"));

    assertThat(origin.get(60, TimeUnit.SECONDS)).isEqualTo(100);
  }

  private long lastOriginOffset() {
    try {
      return copy.cursor().lastOriginOffset();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aVersionThatDoesNotArriveIsToBeTriedAgain() {
    Operation early = operation(0, 2, "{\"pages\":3}");

    assertThatThrownBy(() -> copy.replicate(3, List.of(early), Duration.ofMillis(1)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(503));
  }

  @Test
  void aFieldThatTheLeadersMappingLacksIsRefusedAndNotDerived() {
    Operation unknown = operation(0, 1, "{\"pages\":3}");

    assertThatThrownBy(() -> replicate(unknown))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(400);
              assertThat(e.error().reason()).contains("version 1 of the leader's mapping lacks");
              assertThat(e.error().fields())
                  .containsEntry("leader_offset", 100L)
                  .containsEntry("seq_no", 0L);
            });
    assertThat(world.leader.newFields).isEmpty();
  }

  @Test
  void operationsBeforeARefusedOneAreWrittenAndADeleteInItsPlaceLetsTheShardContinue()
      throws Exception {
    Operation good = operation(0, 1, "{\"title\":\"1\"}");
    Operation poison = operation(1, 1, "{\"title\":{\"a\":1}}");
    Operation after = operation(2, 1, "{\"title\":\"3\"}");

    assertThatThrownBy(() -> replicate(good, poison, after))
        .isInstanceOfSatisfying(
            ApiException.class,
            e ->
                assertThat(e.error().fields())
                    .containsEntry(ReplicateWire.REFUSED_OFFSET, 101L)
                    .containsEntry(ReplicateWire.REFUSED_SEQ_NO, 1L));
    assertThat(copy.cursor().nextSeqNo()).isEqualTo(1);

    assertThat(replicate(operation(1, 1, null), after).applied()).isEqualTo(2);
    assertThat(copy.cursor().nextSeqNo()).isEqualTo(3);
    assertThat(copy.cursor().lastOriginOffset()).isEqualTo(102);
  }
}
