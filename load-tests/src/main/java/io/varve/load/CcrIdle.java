package io.varve.load;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Measures the process that pulls many shards to which nobody writes. */
final class CcrIdle {

  private static final int SHARDS = 200;
  private static final int SETTLING_SECONDS = 30;
  private static final String PULLER = "ccr-follower";

  private final int seconds;

  /**
   * @param seconds the time over which the CPU is measured
   */
  CcrIdle(int seconds) {
    this.seconds = seconds;
  }

  void run(CcrPair pair) throws IOException, InterruptedException {
    pair.recreate(CcrTrack.HTTP_LOGS.shape(), new CcrPair.Layout(SHARDS, 0, 1));
    TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
    Processes processes = pair.follower().processes();
    double before = processes.cpuSeconds(PULLER);
    TimeUnit.SECONDS.sleep(seconds);
    double corePercent = 100 * (processes.cpuSeconds(PULLER) - before) / seconds;
    double residentMegabytes =
        processes.residentMegabytesByProcess().entrySet().stream()
            .filter(process -> process.getKey().startsWith(PULLER))
            .mapToDouble(process -> process.getValue())
            .sum();
    CopiesBench.head(List.of("pair", "idle shards", "puller, % of a core", "RSS MB"));
    CopiesBench.row(pair.leader().name(), SHARDS, corePercent, residentMegabytes);
  }
}
