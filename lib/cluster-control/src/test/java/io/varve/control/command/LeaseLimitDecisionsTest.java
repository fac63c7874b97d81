package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RetentionLease;
import io.varve.events.ShardId;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ForkPlace;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the limit of what a lease retains, and the lease that a promoted index has on itself. */
class LeaseLimitDecisionsTest extends LeaseDecisionsWorld {

  private Object overLimit(long generation, long limitOffset) {
    return decided(
        leases.overLimit(
            state,
            new ClusterCalls.LeaseOverLimit(
                new ShardId("books-uuid", 0), HOLDER, generation, limitOffset)));
  }

  @Test
  void aShardOverTheLimitIsRetainedAgainOnlyFromTheLimitOn() {
    limit("1mb");
    add(0, Map.of(0, 5L, 1, 5L));
    long generation = lease().generation();

    assertThat(overLimit(generation, 100)).isEqualTo(1);

    assertThat(lease().isActive()).isTrue();
    assertThat(lease().retainedFrom(0)).isEqualTo(-1);
    assertThat(lease().limits()).containsExactly(Map.entry(0, 100L));
    assertThat(renew(generation, Map.of(0, 99L))).isEqualTo(0);
    assertThat(lease().retainedFrom(0)).as("99 is before the limit").isEqualTo(-1);
    assertThat(renew(generation, Map.of(0, 100L))).isEqualTo(1);
    assertThat(lease().retainedFrom(0)).isEqualTo(100);
    assertThat(lease().limits()).isEmpty();
  }

  @Test
  void aShardOverTheLimitCostsNoOtherShardItsOperations() {
    limit("1mb");
    add(0, Map.of(0, 5L, 1, 5L));
    long generation = lease().generation();
    renew(generation, Map.of(1, 8L));

    assertThat(overLimit(generation, 100)).isEqualTo(1);
    assertThat(lease().retainedFrom(1)).as("the renewal was recorded too").isEqualTo(8);
    assertThat(renew(generation, Map.of(0, 6L, 1, 7L))).as("7 retains more").isEqualTo(1);

    assertThat(lease().retainedFrom(0)).isEqualTo(-1);
    assertThat(lease().retainedFrom(1)).isEqualTo(7);
  }

  @Test
  void aReportAboutALeaseThatHasAdvancedIsLate() {
    limit("1mb");
    add(0, Map.of(0, 5L));
    long generation = lease().generation();
    renew(generation, Map.of(0, 100L));

    assertThat(overLimit(generation, 100)).isEqualTo(0);
    assertThat(overLimit(generation + 1, 200)).isEqualTo(0);
    limit("-1");
    assertThat(overLimit(generation, 200)).isEqualTo(0);
  }

  private void limit(String bytes) {
    happened(
        new ClusterEvent.IndexSettingsChanged(
            "books-uuid", 2, Map.of("index.soft_deletes.retention_lease.max_bytes", bytes)));
  }

  private List<ClusterEvent> started(int shard, ForkPlace place) {
    List<ClusterEvent> events =
        ForkDecisions.forked(
            state,
            new ClusterCalls.CopyStarted(new ShardId("books-uuid", shard), "c", "i", 2, place),
            nowMillis);
    events.forEach(this::happened);
    return events;
  }

  @Test
  void theForkOfEachPromotedShardIsRecordedOnceAndALeaseHoldsTheLogFromThere() {
    ForkPlace first = new ForkPlace(100, 7, 50, 1_000L, 60, 2);
    ForkPlace second = new ForkPlace(-1, 0, -1, null, 3, 2);
    assertThat(started(0, first)).as("an index that was never promoted").isEmpty();
    Fork fork = new Fork("east", "books", "leader-uuid", Map.of());
    happened(new ClusterEvent.FollowChanged("books-uuid", null, fork));

    assertThat(started(0, first)).hasSize(2);
    assertThat(started(0, new ForkPlace(100, 7, 50, 1_000L, 90, 3))).as("a later term").isEmpty();
    assertThat(started(1, second)).hasSize(2);

    IndexMetadata index = state.indices().get("books");
    assertThat(index.fork().shards()).isEqualTo(Map.of(0, first, 1, second));
    assertThat(index.awaitsFork(1)).isFalse();
    RetentionLease lease = index.leases().get("failback-leader-uuid");
    assertThat(lease.fromOffsets()).isEqualTo(Map.of(0, 60L, 1, 3L));
    tick(PERIOD + 1);
    assertThat(state.indices().get("books").leases().get("failback-leader-uuid").isActive())
        .isFalse();
  }
}
