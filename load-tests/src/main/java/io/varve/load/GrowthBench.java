package io.varve.load;

import io.varve.load.growth.StateBench;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench growth}: measures how costs grow with the size of a cluster ({@link StateBench}) and
 * on one machine ({@link GrowthMachineBench}).
 */
@Command(
    name = "growth",
    description = "Measures how costs grow with the size of a cluster.",
    subcommands = GrowthMachineBench.class,
    sortOptions = false)
final class GrowthBench implements Callable<Integer> {

  @Option(
      names = "--shards",
      paramLabel = "N",
      defaultValue = "100000",
      description =
          "shards of the largest cluster, each with two copies (default: ${DEFAULT-VALUE})")
  private int shards;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "7",
      description = "samples of each cost (default: ${DEFAULT-VALUE})")
  private int samples;

  @Option(
      names = "--sample-seconds",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "CPU time for one cost; a cost whose single call takes longer is omitted"
              + " (default: ${DEFAULT-VALUE})")
  private int sampleSeconds;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "measures only the costs whose names contain the text")
  private String only;

  private GrowthBench() {}

  @Override
  public Integer call() {
    new StateBench(samples, sampleSeconds, only).run(shards);
    return 0;
  }
}
