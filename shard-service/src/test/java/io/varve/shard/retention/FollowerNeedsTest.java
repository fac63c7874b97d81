package io.varve.shard.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.FollowerLease;
import io.varve.events.ManifestRecord;
import io.varve.events.ShardId;
import io.varve.log.RetentionPlanner.Need;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FollowerNeedsTest {

  private static final ShardId SHARD = new ShardId("u", 0);
  private static final long PERIOD = 1_000;

  private final FollowerNeeds needs = new FollowerNeeds();

  private void leased(String holder, long fromOffset, long atMillis) throws Exception {
    needs.read(ManifestRecord.of(new FollowerLease(SHARD, holder, fromOffset).record()), atMillis);
  }

  @Test
  void eachFollowerKeepsWhatItNeeds() throws Exception {
    leased("a", 10, 0);
    leased("b", 20, 0);
    leased("a", 15, 500);
    assertThat(needs.at(600, PERIOD, Map.of()))
        .containsExactly(new Need("the follower a", 15), new Need("the follower b", 20));
  }

  @Test
  void aFollowerThatReleasedItsLeaseKeepsNothing() throws Exception {
    leased("a", 10, 0);
    leased("b", 20, 0);

    needs.read(new ManifestRecord.Nothing(), 100);
    needs.read(new ManifestRecord.Released("a"), 100);

    assertThat(needs.at(200, PERIOD, Map.of())).containsExactly(new Need("the follower b", 20));
  }

  @Test
  void aLeaseNotRenewedWithinThePeriodKeepsNothing() throws Exception {
    leased("a", 10, 0);
    assertThat(needs.at(1_000, PERIOD, Map.of())).hasSize(1);
    assertThat(needs.at(1_001, PERIOD, Map.of())).isEmpty();
    // With a longer period the lease counts again, whether or not the log still has the operations.
    assertThat(needs.at(1_001, 2 * PERIOD, Map.of())).hasSize(1);
  }

  @Test
  void aFormerFollowerKeepsNothing() throws Exception {
    leased("a", 10, 0);
    needs.read(ManifestRecord.of(FollowerLease.released(SHARD, "a")), 1);
    assertThat(needs.at(1, PERIOD, Map.of())).isEmpty();
  }

  @Test
  void aRecordedLeaseCountsUntilItEnds() {
    assertThat(needs.at(5 * PERIOD, PERIOD, Map.of("a", 10L, "b", -1L)))
        .containsExactly(new Need("the follower a", 10));
  }

  @Test
  void whatAFollowerWritesItselfCountsNoMoreOnceItsLeaseIsRecorded() throws Exception {
    leased("a", 10, 0);
    leased("b", 20, 0);
    leased("older release", 30, 0);

    assertThat(needs.at(1, PERIOD, Map.of("a", 15L, "b", -1L)))
        .containsExactly(
            new Need("the follower a", 15), new Need("the follower older release", 30));
  }
}
