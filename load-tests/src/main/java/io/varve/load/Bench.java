package io.varve.load;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code bench bulk} measures loads, {@code bench search} searches, {@code bench copies} what
 * copies cost and give, {@code bench codecs} what codecs do to size and fetches, {@code bench ars}
 * searches while a node is ill; each class says its options.
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

  private static final Set<String> COMMON =
      Set.of(
          "--port",
          "--log.flush",
          "--heap",
          "--peer-url",
          "--peer-pids",
          "--documents",
          "--clients",
          "--runs",
          "--warm-up");

  private interface Measurement {
    void run() throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    Measurement asked;
    try {
      asked = asked(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(
          """
          bench: %s
          usage: bench bulk   [--shape taxis|logs] [--documents N] [--bulk N] [--clients N] [--runs N] [--warm-up N] [--refresh 1s] [--codecs NAME,...]
                 bench search [--documents N] [--shards N] [--clients N] [--runs N] [--warm-up N] [--calls N] [--only NAME,...]
                 bench copies [--parts replicas,visible,failover,recovery,relocation] [--sizes MB,MB] [--runs N] [--warm-up N]
                              [--documents N] [--clients N] [--seconds N] [--merge-mb N] [--moves N]
                 bench codecs [--shapes taxis,logs,articles,events,drifting,irregular] [--megabytes N] [--fetches N] [--runs N] [--warm-up N] [--seed N]
                 bench ars    [--strategies NAME,...] [--load PERCENT] [--loop open|closed] [--seconds N] [--documents N] [--clients N]
                              [--illnesses healthy,stop4,stop13,cpu,disk,onset,recovery,failing,restart,saturated-healthy,saturated,saturated-stop4]
                              [--runs N] [--warm-up N]
                 all          [--port N] [--log.flush always|os] [--heap 2g] [--peer-url URL --peer-pids PID,...]\
          """
              .formatted(e.getMessage()));
      System.exit(2);
      return;
    }
    asked.run();
  }

  private static Measurement asked(String[] arguments) {
    String what = arguments.length == 0 ? "" : arguments[0];
    List<String> rest =
        Arrays.asList(arguments).subList(Math.min(1, arguments.length), arguments.length);
    return switch (what) {
      case "bulk" ->
          new BulkBench(Options.of(rest, with("--shape", "--bulk", "--refresh", "--codecs")))::run;
      case "search" ->
          new SearchBench(Options.of(rest, with("--shards", "--calls", "--only")))::run;
      case "copies" ->
          new CopiesBench(
                  Options.of(
                      rest, with("--parts", "--sizes", "--seconds", "--merge-mb", "--moves")))
              ::run;
      case "codecs" ->
          new CodecBench(
                  Options.of(
                      rest,
                      Set.of(
                          "--shapes", "--megabytes", "--fetches", "--runs", "--warm-up", "--seed")))
              ::run;
      case "ars" ->
          new SelectionBench(
                  Options.of(
                      rest, with("--strategies", "--illnesses", "--seconds", "--load", "--loop")))
              ::run;
      default -> throw new IllegalArgumentException("bulk, search, copies, codecs or ars?");
    };
  }

  private static Set<String> with(String... own) {
    Set<String> known = new HashSet<>(COMMON);
    known.addAll(Arrays.asList(own));
    return known;
  }
}
