package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures how fast a follower catches up: the same load is sent while the follower follows, and
 * while it is paused. The first rate lasts until the follower holds everything, the second one
 * begins when it is resumed.
 */
final class CcrBacklog {

  private final BenchOptions options;
  private final CcrPair.Layout layout;
  private final CcrLoad load;
  private final LoadClock clock;

  /** Documents per second. */
  private record Round(double live, double backlog) {}

  /**
   * @param documents of each load
   */
  CcrBacklog(BenchOptions options, CcrPair.Layout layout, int documents, LoadClock clock) {
    this.clock = clock;
    this.options = options;
    this.layout = layout;
    this.load = CcrLoad.appended(CcrTrack.HTTP_LOGS, documents);
  }

  void run(CcrPair pair) throws IOException, InterruptedException {
    List<Round> rounds = new ArrayList<>();
    for (int number = 0; number < options.warmUp() + options.runs(); number++) {
      double heldSeconds =
          load.run(pair, layout, options.clients(), Double.POSITIVE_INFINITY, clock).heldSeconds();
      Round round = new Round(load.operations() / heldSeconds, backlog(pair));
      System.err.printf(Locale.ROOT, "backlog, round %d: %s%n", number, round);
      if (number >= options.warmUp()) {
        rounds.add(round);
      }
    }
    CopiesBench.head(List.of("pair", "documents", "live docs/s", "backlog docs/s", "ratio"));
    CopiesBench.row(
        pair.leader().name(),
        load.operations(),
        RunStats.medianAndRange(rounds, Round::live, 0),
        RunStats.medianAndRange(rounds, Round::backlog, 0),
        RunStats.medianAndRange(rounds, round -> round.backlog() / round.live(), 2));
  }

  private double backlog(CcrPair pair) throws IOException, InterruptedException {
    pair.recreate(load.track().shape(), layout);
    String following = CcrPair.followerIndex(1);
    pair.follower().call("POST", "/" + following + "/_ccr/pause_follow", "");
    load.send(pair, options.clients(), Pace.unlimited());
    long resumedNanos = clock.nanos();
    pair.follower().call("POST", "/" + following + "/_ccr/resume_follow", "{}");
    long heldNanos = load.awaitHeld(pair, 1, layout.shards(), clock);
    return load.operations() * 1e9 / (heldNanos - resumedNanos);
  }
}
