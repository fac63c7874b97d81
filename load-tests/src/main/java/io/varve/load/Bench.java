package io.varve.load;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The program {@code bench}. Each subcommand is one measurement, whose class documents its options.
 *
 * <p>Runs of servers, copies or codecs that are compared are interleaved, so that drift in the
 * machine's speed affects all of them alike. Results are medians; ratios are computed per round,
 * against the peer.
 */
@Command(
    name = "bench",
    description = "Measures a running build.",
    subcommands = {
      BulkBench.class,
      SearchBench.class,
      CopiesBench.class,
      CodecBench.class,
      SelectionBench.class
    })
public final class Bench {

  private Bench() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Bench())
        .setOverwrittenOptionsAllowed(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false);
  }
}
