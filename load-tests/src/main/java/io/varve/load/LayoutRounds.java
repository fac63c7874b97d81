package io.varve.load;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * Loads layouts of indices in turn, each with the same number of documents, as fast as the server
 * accepts them. A round creates the indices, sends the bulks to them in turn, refreshes, waits
 * until all copies show all documents, and deletes the indices.
 */
final class LayoutRounds {

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int POLLS = 2_400;
  private static final Shape SHAPE = Shape.TAXIS;

  private final MeasuredServer server;
  private final GrowthSizes sizes;
  private final LoadClock clock;
  private final BulkRun load;
  private final List<byte[]> bodies;
  private final GrowthResults results = new GrowthResults();

  LayoutRounds(MeasuredServer server, GrowthSizes sizes, LoadClock clock) {
    this.server = server;
    this.sizes = sizes;
    this.clock = clock;
    this.load = load(sizes.rounds());
    this.bodies = load.bodies();
  }

  static BulkRun load(GrowthSizes.Rounds rounds) {
    return new BulkRun(
        SHAPE, Copies.NONE, rounds.documents(), rounds.documentsPerBulk(), rounds.clients(), "1s");
  }

  /**
   * @param size the number that distinguishes the layouts
   * @param weighed whether the layouts are weighed after their last rounds, and the empty server
   *     after all of them
   */
  GrowthResults run(List<IndexLayout> layouts, ToIntFunction<IndexLayout> size, boolean weighed)
      throws IOException, InterruptedException {
    int rounds = sizes.rounds().warmUp() + sizes.rounds().runs();
    for (int number = 1; number <= rounds; number++) {
      for (IndexLayout layout : layouts) {
        GrowthResults.Round round = round(layout);
        System.err.printf(Locale.ROOT, "%s round %d of %d: %s%n", layout, number, rounds, round);
        if (number > sizes.rounds().warmUp()) {
          results.add(size.applyAsInt(layout), round);
        }
        if (weighed && number == rounds) {
          weigh(layout, size);
        }
        layout.delete(server);
      }
    }
    if (weighed) {
      weigh(IndexLayout.NONE, size);
    }
    return results;
  }

  private void weigh(IndexLayout layout, ToIntFunction<IndexLayout> size)
      throws IOException, InterruptedException {
    Weight weight = Weight.of(server, clock, sizes.settle(), sizes.idle());
    System.err.printf(Locale.ROOT, "%s: %s%n", layout, weight);
    results.weighed(size.applyAsInt(layout), weight);
  }

  private GrowthResults.Round round(IndexLayout layout) throws IOException, InterruptedException {
    IndexLayout.Created created = layout.create(server, SHAPE, clock);
    clock.sleepNanos(PAUSE_NANOS);
    Map<String, Double> before = server.processes().cpuSecondsByKind();
    long beganNanos = clock.nanos();
    load.send(server, layout.names(), bodies, new Latencies(), Pace.unlimited());
    double seconds = (clock.nanos() - beganNanos) / 1e9;
    layout.refresh(server);
    if (layout.replicas() > 0) {
      awaitAllCopies(layout);
    }
    Map<String, Double> after = server.processes().cpuSecondsByKind();
    if (layout.replicas() == 0) {
      awaitAllCopies(layout);
    }
    return new GrowthResults.Round(
        ProcessCosts.of(sizes.rounds().documents(), seconds, before, after), created);
  }

  private void awaitAllCopies(IndexLayout layout) throws IOException, InterruptedException {
    long expected = (long) sizes.rounds().documents() * (1 + layout.replicas());
    long found = layout.documentsOfAllCopies(server);
    for (int poll = 0; found != expected && poll < POLLS; poll++) {
      clock.sleepNanos(POLL_NANOS);
      found = layout.documentsOfAllCopies(server);
    }
    if (found != expected) {
      throw new IOException("the copies hold %,d of %,d documents".formatted(found, expected));
    }
  }
}
