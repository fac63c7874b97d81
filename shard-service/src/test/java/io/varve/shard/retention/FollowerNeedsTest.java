package io.varve.shard.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.FollowerLease;
import io.varve.events.ManifestRecord;
import io.varve.events.ShardId;
import io.varve.log.RetentionPlanner.Need;
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
    assertThat(needs.at(600, PERIOD))
        .containsExactly(new Need("the follower a", 15), new Need("the follower b", 20));
  }

  @Test
  void aFollowerThatGaveItsLeaseBackKeepsNothing() throws Exception {
    leased("a", 10, 0);
    leased("b", 20, 0);

    needs.read(new ManifestRecord.Nothing(), 100);
    needs.read(new ManifestRecord.Released("a"), 100);

    assertThat(needs.at(200, PERIOD)).containsExactly(new Need("the follower b", 20));
  }

  @Test
  void whoeverIsNotHeardOfForThePeriodKeepsNothing() throws Exception {
    leased("a", 10, 0);
    assertThat(needs.at(1_000, PERIOD)).hasSize(1);
    assertThat(needs.at(1_001, PERIOD)).isEmpty();
    // A longer period brings it back: the log still has it, or not.
    assertThat(needs.at(1_001, 2 * PERIOD)).hasSize(1);
  }

  @Test
  void whoeverFollowsNoMoreKeepsNothing() throws Exception {
    leased("a", 10, 0);
    needs.read(ManifestRecord.of(FollowerLease.released(SHARD, "a")), 1);
    assertThat(needs.at(1, PERIOD)).isEmpty();
  }
}
