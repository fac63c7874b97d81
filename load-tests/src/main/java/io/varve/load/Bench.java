package io.varve.load;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The program {@code bench}. Each subcommand runs one measurement; its class documents the options.
 *
 * <p>Runs of the servers, copies or codecs under comparison are interleaved, so that changes of the
 * machine's speed affect all of them equally. Results are medians; ratios to the peer are computed
 * per round.
 */
@Command(
    name = "bench",
    description = "Measures a running build.",
    subcommands = {
      BulkBench.class,
      FloorBench.class,
      BudgetBench.class,
      SearchBench.class,
      CopiesBench.class,
      CodecBench.class,
      CcrBench.class,
      SelectionBench.class,
      StartBench.class,
      RereplicationBench.class,
      GrowthBench.class,
      SecurityBench.class
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
