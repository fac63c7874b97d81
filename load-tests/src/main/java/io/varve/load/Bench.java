package io.varve.load;

import java.util.Arrays;

/**
 * {@code bench bulk} measures loads, {@code bench search} searches; each class says its options.
 *
 * <p>Common ones:
 *
 * <pre>
 *   --port N (9400)   --log.flush always|os (os)   --heap SIZE (2g)
 *   --peer-url URL --peer-pids 1,2     another server that speaks the dialect, already running, measured in turn
 * </pre>
 *
 * Runs are interleaved, so that a machine whose speed drifts slows both alike; figures are medians,
 * and ratios are to the peer, run by run.
 */
public final class Bench {

  private Bench() {}

  public static void main(String[] arguments) throws Exception {
    String what = arguments.length == 0 ? "" : arguments[0];
    Options options =
        Options.of(
            Arrays.asList(arguments).subList(Math.min(1, arguments.length), arguments.length));
    switch (what) {
      case "bulk" -> new BulkBench(options).run();
      case "search" -> new SearchBench(options).run();
      default -> {
        System.err.println(
            """
            usage: bench bulk   [--shape taxis|logs] [--documents N] [--bulk N] [--clients N] [--runs N] [--warm-up N] [--refresh 1s]
                   bench search [--documents N] [--shards N] [--clients N] [--runs N] [--warm-up N] [--calls N] [--only NAME,...]
                   both         [--port N] [--log.flush always|os] [--heap 2g] [--peer-url URL --peer-pids PID,...]\
            """);
        System.exit(2);
      }
    }
  }
}
