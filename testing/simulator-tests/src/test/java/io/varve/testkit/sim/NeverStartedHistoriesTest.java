package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The nodes of a shard's copies leave, and its log may be truncated. Before its first primary was
 * started, other nodes take over, because the log is complete. Afterwards the copies stay where
 * they are: an acknowledged write may be in their folders only.
 */
class NeverStartedHistoriesTest {

  private static final long SECOND = 1_000_000;
  private static final int HISTORIES = Histories.inThisRun(60);

  private static Optional<ShardRouting> routing(InterruptedHistory history) {
    return history.world.newestState().shard(World.LEADER);
  }

  private static Optional<CopyRouting> primary(InterruptedHistory history) {
    return routing(history).map(ShardRouting::primary).filter(copy -> copy.nodeId() != null);
  }

  private static boolean isStarted(InterruptedHistory history) {
    return primary(history).filter(CopyRouting::started).isPresent();
  }

  /** The nodes of all copies that writes wait for. */
  private static Set<String> places(InterruptedHistory history) {
    return routing(history).stream()
        .flatMap(shard -> shard.writeCopies().stream())
        .map(CopyRouting::nodeId)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  @Test
  void aShardWhosePrimaryIsLostForGoodBeforeItsFirstStartIsAssignedElsewhere() {
    int lost = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      InterruptedHistory history = new InterruptedHistory(seed, WorldShape::truncatingAlone);
      for (int i = 0; i < 3_000 && primary(history).isEmpty(); i++) {
        history.pass(1_000);
      }
      String first = primary(history).map(CopyRouting::nodeId).orElseThrow();
      if (isStarted(history)) {
        continue;
      }
      lost++;
      history.world.node(first).kill();

      history.await("it starts elsewhere", () -> isStarted(history));
      assertThat(primary(history).map(CopyRouting::nodeId)).isNotEqualTo(Optional.of(first));
      history.await("all come together", history.convergence::reached);
      history.world.observe(new Observation.Quiet());
    }
    assertThat(lost).isGreaterThan(HISTORIES / 2);
  }

  @Test
  void aShardWithATruncatedLogWaitsForTheNodesThatHoldItsContent() {
    int waited = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      InterruptedHistory history = new InterruptedHistory(seed, WorldShape::truncatingAlone);
      for (int i = 0; i < 400 && !history.says("is truncated before"); i++) {
        history.pass(SECOND / 100);
      }
      if (!history.says("is truncated before")) {
        continue;
      }
      waited++;
      Set<String> holders = places(history);
      List<SimNode> nodes = holders.stream().map(history.world::node).toList();
      nodes.forEach(SimNode::kill);
      history.pass(5 * SECOND);
      assertThat(places(history)).as("seed %d", seed).isEqualTo(holders);

      nodes.forEach(SimNode::start);
      history.await("all come together", history.convergence::reached);
      history.world.observe(new Observation.Quiet());
    }
    assertThat(waited).isGreaterThan(HISTORIES / 2);
  }
}
