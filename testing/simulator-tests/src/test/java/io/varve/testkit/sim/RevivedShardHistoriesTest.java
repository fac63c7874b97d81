package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The log of a strong index loses its end for good, while clients write and read. The shard is
 * revived from the copy that is furthest on: what was read is not un-read, what is called
 * replicated is held by all copies, no write is acked on the gap, and no job continues after
 * records that it wrote and the log lost.
 */
class RevivedShardHistoriesTest {

  private static final List<String> INVARIANTS =
      List.of("neverUnRead", "noWriteOnAGap", "replicatedIsHeldByAll", "jobWritesWhatItPasses");

  private static RevivedShardHistory history(long seed, List<String> invariants) {
    return new RevivedShardHistory(
        seed, Set.of(), invariants.stream().map(Invariants::named).toList());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void whatWasReadIsThereAfterTheRevival(long seed) {
    RevivedShardHistory history = history(seed, INVARIANTS);
    history.world.commitWhatTheLogLost();
    history.run();
    assertThat(history.world.logs().acceptedLog(World.LEADER).lastSeqNo()).isPositive();
  }

  /** What was read is on all copies, but not on their disks, because the log has it. */
  @Test
  void copiesThatDoNotCommitWhatTheLogLostAreNoticed() {
    assertThat(
            LongStream.rangeClosed(1, 60).filter(RevivedShardHistoriesTest::isUnRead).findFirst())
        .isPresent();
  }

  private static boolean isUnRead(long seed) {
    try {
      history(seed, List.of("neverUnRead")).run();
      return false;
    } catch (InvariantViolated e) {
      return e.invariant().equals("neverUnRead");
    } catch (AssertionError e) {
      // The history failed before the invariant could notice.
      return false;
    }
  }
}
