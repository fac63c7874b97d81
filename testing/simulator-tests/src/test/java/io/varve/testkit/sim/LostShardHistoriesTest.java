package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.testkit.sim.LostShardHistory.Loss;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Copies of a follower lose their disks. If no copy has the content any more, the follower is
 * replaced by a copy of its leader; if one has it that is away, the follower waits for it, for some
 * time; if one can continue from less than the newest manifest, it does. Half of the followers are
 * remote-backed. Each history ends with every operation of the leader exactly once.
 */
class LostShardHistoriesTest {

  private static final int HISTORIES = Histories.inThisRun(200);
  private static final int OF_EACH_LOSS = HISTORIES / Loss.values().length;

  @Test
  void aFollowerIsReplacedExactlyWhenNoCopyHasItsContent() {
    Map<Loss, Integer> replaced = new EnumMap<>(Loss.class);
    int heldBehind = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      LostShardHistory lost = new LostShardHistory(seed, Set.of(), Invariants.all());
      lost.run();
      boolean isReplaced = !lost.world.indices().followerShard().equals(World.FOLLOWER);
      replaced.merge(lost.loss, isReplaced ? 1 : 0, Integer::sum);
      heldBehind += lost.heldBehind ? 1 : 0;
    }
    System.out.println(
        "replaced followers of %d: %s; %d continued from an older manifest"
            .formatted(HISTORIES, replaced, heldBehind));
    assertThat(replaced.get(Loss.ALONE)).isGreaterThan(OF_EACH_LOSS / 6);
    assertThat(replaced.get(Loss.BEFORE_THE_START)).isPositive();
    assertThat(replaced.get(Loss.HELD_ELSEWHERE)).isZero();
    assertThat(replaced.get(Loss.AWAY_TOO_LONG)).isGreaterThan(OF_EACH_LOSS / 6);
    assertThat(replaced.get(Loss.EVERY_DISK)).isGreaterThan(OF_EACH_LOSS / 6);
    assertThat(replaced.get(Loss.HELD_BEHIND)).isZero();
    assertThat(heldBehind).isPositive();
  }
}
