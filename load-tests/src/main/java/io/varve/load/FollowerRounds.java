package io.varve.load;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Loads an index of one cluster that 0 or more indices of another cluster follow, in turn. A round
 * ends when all of them hold all operations.
 */
final class FollowerRounds {

  private static final int SHARDS = 1;
  private static final IndexLayout.Created NOT_TIMED =
      new IndexLayout.Created(Double.NaN, Double.NaN);

  private final CcrPair pair;
  private final GrowthSizes.Rounds rounds;
  private final LoadClock clock;
  private final BulkRun load;

  FollowerRounds(CcrPair pair, GrowthSizes.Rounds rounds, LoadClock clock) {
    this.pair = pair;
    this.rounds = rounds;
    this.clock = clock;
    this.load = LayoutRounds.load(rounds);
  }

  /** The costs of the leader's processes, by number of followers. */
  GrowthResults run(List<Integer> followers) throws IOException, InterruptedException {
    List<byte[]> bodies = load.bodies();
    GrowthResults results = new GrowthResults();
    int all = rounds.warmUp() + rounds.runs();
    for (int number = 1; number <= all; number++) {
      for (int count : followers) {
        ProcessCosts costs = costs(count, bodies);
        System.err.printf(
            Locale.ROOT, "%d followers, round %d of %d: %s%n", count, number, all, costs);
        if (number > rounds.warmUp()) {
          results.add(count, new GrowthResults.Round(costs, NOT_TIMED));
        }
      }
    }
    return results;
  }

  private ProcessCosts costs(int followers, List<byte[]> bodies)
      throws IOException, InterruptedException {
    pair.recreate(load.shape(), new CcrPair.Layout(SHARDS, 0, followers));
    Map<String, Double> before = pair.leader().processes().cpuSecondsByKind();
    long beganNanos = clock.nanos();
    load.send(pair.leader(), CcrPair.INDEX, bodies, new Latencies());
    double seconds = (clock.nanos() - beganNanos) / 1e9;
    pair.leader().call("POST", "/" + CcrPair.INDEX + "/_refresh", "");
    for (int i = 1; i <= followers; i++) {
      Checkpoints.awaitOperations(
          pair.follower(), CcrPair.followerIndex(i), rounds.documents(), SHARDS, clock);
    }
    return ProcessCosts.of(
        rounds.documents(), seconds, before, pair.leader().processes().cpuSecondsByKind());
  }
}
