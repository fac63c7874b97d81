package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RetentionLease;
import io.varve.cluster.RetentionLease.End;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForkPlace;
import io.varve.rpc.LeaseRenewal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the leading coordinator's decisions about the leases of followers. */
class LeaseDecisionsTest {

  private static final String HOLDER = "west-copyuuid";
  private static final long PERIOD = 3_600_000;
  private static final long MINUTE = 60_000;

  private long nowMillis = 10 * PERIOD;
  private LeaseDecisions leases = new LeaseDecisions(() -> nowMillis);
  private ClusterState state = ClusterState.EMPTY;

  @BeforeEach
  void anIndexOfTwoShards() {
    happened(new ClusterEvent.FeatureLevelRaised(2));
    create("books", Map.of("index.soft_deletes.retention_lease.period", "1h"));
    lead();
    nowMillis += MINUTE;
  }

  private void create(String name, Map<String, String> settings) {
    happened(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                name,
                name + "-uuid",
                0,
                settings,
                1,
                "{}",
                1,
                null,
                List.of(shard(name, 0), shard(name, 1)))));
  }

  private static ShardRouting shard(String index, int number) {
    return new ShardRouting(
        new ShardId(index + "-uuid", number),
        1,
        List.of(new CopyRouting("c", true, CopyRouting.State.STARTED, "n1", "")),
        List.of());
  }

  private void lead() {
    leases = new LeaseDecisions(() -> nowMillis);
    leases.lead(nowMillis);
  }

  private void happened(ClusterEvent event) {
    state = state.apply(event);
  }

  /** Applies the decision; returns the number of events, or the refusal. */
  private Object decided(Decision decision) {
    return switch (decision) {
      case Decision.Events(var events) -> {
        events.forEach(this::happened);
        yield events.size();
      }
      case Decision.Refused(ErrorBody error) -> error;
    };
  }

  private Object add(long ended, Map<Integer, Long> offsets) {
    return decided(
        leases.renew(state, new LeaseRenewal("books-uuid", HOLDER, ended, true, offsets)));
  }

  private Object renew(long generation, Map<Integer, Long> offsets) {
    return decided(
        leases.renew(state, new LeaseRenewal("books-uuid", HOLDER, generation, false, offsets)));
  }

  private Object remove() {
    return decided(leases.end(state, new ClusterCommand.EndLeases("books-uuid", List.of(HOLDER))));
  }

  private Object overLimit(long generation, long limitOffset) {
    return decided(
        leases.overLimit(
            state,
            new ClusterCalls.LeaseOverLimit(
                new ShardId("books-uuid", 0), HOLDER, generation, limitOffset)));
  }

  /** The number of events that are due. */
  private int tick(long millis) {
    nowMillis += millis;
    List<ClusterEvent> due = leases.due(state, nowMillis);
    due.forEach(this::happened);
    return due.size();
  }

  private RetentionLease lease() {
    return state.indices().get("books").leases().get(HOLDER);
  }

  private static ErrorBody refusal(Object decided) {
    assertThat(decided).isInstanceOf(ErrorBody.class);
    return (ErrorBody) decided;
  }

  @Test
  void anAddIsRecordedAtOnce() {
    assertThat(add(0, Map.of(0, 5L, 1, 7L))).isEqualTo(1);

    assertThat(lease())
        .isEqualTo(new RetentionLease(state.version(), nowMillis, Map.of(0, 5L, 1, 7L)));
    assertThat(lease().retainedFrom(1)).isEqualTo(7);
  }

  @Test
  void renewalsOfAllIndicesAndShardsAreOneEventInHalfAMinute() {
    create("maps", Map.of());
    add(0, Map.of(0, 5L, 1, 7L));
    decided(leases.renew(state, new LeaseRenewal("maps-uuid", HOLDER, 0, true, Map.of(0, 1L))));
    long generation = lease().generation();
    assertThat(tick(30_000)).isZero();

    int events = 0;
    for (int second = 0; second < 600; second++) {
      assertThat(renew(generation, Map.of(0, 10L + second))).isEqualTo(0);
      assertThat(renew(generation, Map.of(1, 20L + second))).isEqualTo(0);
      assertThat(
              decided(
                  leases.renew(
                      state, new LeaseRenewal("maps-uuid", HOLDER, 0, true, Map.of(0, 30L)))))
          .isEqualTo(0);
      events += tick(1_000);
    }

    assertThat(events).isEqualTo(20);
    assertThat(lease().fromOffsets()).isEqualTo(Map.of(0, 609L, 1, 619L));
    assertThat(state.indices().get("maps").leases().get(HOLDER).retainedFrom(0)).isEqualTo(30);
  }

  @Test
  void whatRetainsMoreIsRecordedBeforeItIsAnswered() {
    add(0, Map.of(0, 5L));
    long generation = lease().generation();

    assertThat(renew(generation, Map.of(1, 3L))).as("another shard").isEqualTo(1);
    assertThat(renew(generation, Map.of(0, 9L))).isEqualTo(0);
    assertThat(renew(generation, Map.of(1, 2L))).as("a lower offset").isEqualTo(1);

    assertThat(lease().fromOffsets()).isEqualTo(Map.of(0, 9L, 1, 2L));
    assertThat(tick(30_000)).as("everything is recorded").isZero();
  }

  @Test
  void aRenewalOfHalfTheAgeIsRecordedAtOnce() {
    add(0, Map.of(0, 5L));
    long generation = lease().generation();
    tick(PERIOD / 2 + 1);
    renew(generation, Map.of(0, 5L));

    assertThat(tick(500)).isEqualTo(1);
    assertThat(lease().renewedMillis()).isEqualTo(nowMillis - 500);
  }

  @Test
  void aLeaseThatIsNotRenewedExpiresByTheLeadersClock() {
    add(0, Map.of(0, 5L));
    assertThat(tick(PERIOD)).isZero();
    assertThat(tick(1)).isEqualTo(1);

    assertThat(lease().ended()).isEqualTo(End.EXPIRED);
    assertThat(lease().retainedFrom(0)).isEqualTo(-1);
    assertThat(tick(PERIOD + 1)).isEqualTo(1);
    assertThat(state.indices().get("books").leases()).isEmpty();
  }

  @Test
  void aRenewalThatIsNotRecordedYetKeepsTheLease() {
    add(0, Map.of(0, 5L));
    long generation = lease().generation();
    nowMillis += PERIOD;
    renew(generation, Map.of(0, 6L));

    tick(1);

    assertThat(lease().isActive()).isTrue();
    assertThat(lease().retainedFrom(0)).isEqualTo(6);
  }

  @Test
  void aNewLeaderGivesFollowersTimeToRenew() {
    add(0, Map.of(0, 5L));
    long generation = lease().generation();
    nowMillis += 2 * PERIOD;
    lead();

    assertThat(tick(LeaseDecisions.FIRST_MILLIS - 1)).isZero();
    renew(generation, Map.of(0, 6L));
    tick(1);
    assertThat(lease().isActive()).isTrue();
  }

  @Test
  void aNewTermForgetsRenewalsOfAnOldOne() {
    add(0, Map.of(0, 5L));
    long generation = lease().generation();
    renew(generation, Map.of(0, 6L));
    leases.lead(nowMillis);
    happened(
        new ClusterEvent.LeasesChanged(
            Map.of("books-uuid", Map.of(HOLDER, lease().renewed(Map.of(0, 9L), nowMillis)))));

    assertThat(tick(30_000)).isZero();
    assertThat(lease().retainedFrom(0)).isEqualTo(9);
  }

  @Test
  void aLateRenewalDoesNotReviveWhatWasRemoved() {
    add(0, Map.of(0, 5L));
    long generation = lease().generation();
    renew(generation, Map.of(0, 6L));
    assertThat(remove()).isEqualTo(1);

    ErrorBody error = refusal(renew(generation, Map.of(0, 7L)));

    assertThat(error.status()).isEqualTo(404);
    assertThat(error.type()).isEqualTo(RemoteCluster.NO_LEASE);
    assertThat(error.reason()).endsWith("not found: it was removed");
    assertThat(error.fields()).containsEntry("newest_generation", generation);
    assertThat(tick(30_000)).isZero();
    assertThat(lease().isActive()).isFalse();
  }

  @Test
  void aLateAddDoesNotReviveWhatWasRemoved() {
    add(0, Map.of(0, 5L));
    remove();

    assertThat(refusal(add(0, Map.of(0, 5L))).status()).isEqualTo(404);
    assertThat(lease().isActive()).isFalse();
  }

  @Test
  void aFollowerThatLearnedOfTheEndAddsAnotherLease() {
    add(0, Map.of(0, 5L));
    long first = lease().generation();
    remove();

    assertThat(add(first, Map.of(0, 6L))).isEqualTo(1);

    assertThat(lease().isActive()).isTrue();
    assertThat(lease().generation()).isGreaterThan(first);
    assertThat(refusal(renew(first, Map.of(0, 8L))).reason())
        .endsWith("another one was added since");
  }

  @Test
  void aRenewalOfALeaseThatNeverWasIsRefused() {
    assertThat(refusal(renew(7, Map.of(0, 5L))).reason()).endsWith("it does not exist");
  }

  @Test
  void removingTwiceChangesNothing() {
    add(0, Map.of(0, 5L));
    remove();
    assertThat(remove()).isEqualTo(0);
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

  @Test
  void aClockThatIsSetBackEndsNothing() {
    add(0, Map.of(0, 5L));
    nowMillis -= 5 * PERIOD;
    leases.lead(nowMillis);
    assertThat(tick(2 * MINUTE)).isZero();
  }

  @Test
  void malformedRenewalsAreRefused() {
    assertThat(refusal(add(0, Map.of())).status()).isEqualTo(400);
    assertThat(refusal(add(0, Map.of(2, 5L))).reason()).contains("shards 0 to 1");
    assertThat(refusal(add(0, Map.of(0, -1L))).status()).isEqualTo(400);
    for (String holder : List.of("", "a/b", "x".repeat(256))) {
      assertThat(
              refusal(
                      decided(
                          leases.renew(
                              state,
                              new LeaseRenewal("books-uuid", holder, 0, true, Map.of(0, 1L)))))
                  .status())
          .isEqualTo(400);
    }
    assertThat(
            refusal(
                    decided(
                        leases.renew(
                            state, new LeaseRenewal("none", HOLDER, 0, true, Map.of(0, 1L)))))
                .type())
        .isEqualTo("index_not_found_exception");
  }

  @Test
  void aDeletedIndexHasNoLeases() {
    add(0, Map.of(0, 5L));
    long generation = lease().generation();
    renew(generation, Map.of(0, 6L));
    happened(new ClusterEvent.IndexDeleted("books-uuid"));
    assertThat(tick(30_000)).isZero();
  }

  private List<ClusterEvent> started(int shard, ForkPlace place) {
    List<ClusterEvent> events =
        leases.forked(
            state,
            new ClusterCalls.CopyStarted(new ShardId("books-uuid", shard), "c", "i", 2, place));
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
