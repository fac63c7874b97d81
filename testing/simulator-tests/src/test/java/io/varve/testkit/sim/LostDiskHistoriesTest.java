package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.testkit.sim.LostDiskHistory.Replica;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The primary of a regular SEGMENT index loses its disk, and the log is truncated. If the replica
 * holds content from which the log can be replayed, the shard continues from that without help, and
 * loses no acked write. Otherwise it stays red.
 */
class LostDiskHistoriesTest {

  private static final int HISTORIES = Histories.inThisRun(60);

  private static LostDiskHistory history(long seed, Replica replica) {
    return new LostDiskHistory(seed, replica, Set.of(), Invariants.all());
  }

  @ParameterizedTest
  @EnumSource(names = {"RESTARTED", "FORMER_PRIMARY"})
  void theShardContinuesFromWhatAReplicaThatIsBeingBuiltHolds(Replica replica) {
    long healed =
        LongStream.rangeClosed(1, HISTORIES)
            .filter(seed -> history(seed, replica).isHealed())
            .count();
    System.out.println(replica + ": " + healed + " of " + HISTORIES + " shards continued");
    assertThat(healed).isGreaterThan(HISTORIES / 3);
  }

  @Test
  void theShardStaysRedIfNoCopyHasItsContent() {
    long lost =
        LongStream.rangeClosed(1, HISTORIES / 3)
            .filter(seed -> history(seed, Replica.EMPTY).isLostForGood())
            .count();
    System.out.println(lost + " of " + HISTORIES / 3 + " shards are lost");
    assertThat(lost).isGreaterThan(HISTORIES / 9);
  }
}
