package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RetentionLease;
import io.varve.cluster.RetentionLease.End;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.LeaseRenewal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the leading coordinator's decisions about the leases of followers. */
class LeaseDecisionsTest extends LeaseDecisionsWorld {

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

  /** Its log stays readable, so its followers continue. */
  @Test
  void aLeaseOnAClosedIndexIsAddedAndRenewed() {
    add(0, Map.of(0, 5L));
    happened(new ClusterEvent.IndexClosed("books-uuid"));
    tick(PERIOD / 2 + 1);

    assertThat(renew(lease().generation(), Map.of(0, 7L))).isEqualTo(0);
    assertThat(tick(500)).isEqualTo(1);
    assertThat(tick(PERIOD / 2 + 1)).as("it has not expired").isZero();
    assertThat(lease().retainedFrom(0)).isEqualTo(7);
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
}
