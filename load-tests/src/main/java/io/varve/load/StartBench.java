package io.varve.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench start}: measures the time that {@code varve up} needs in an empty folder until a
 * document can be found, and its cost while it is idle. A peer is started and stopped in turn with
 * it.
 */
@Command(
    name = "start",
    description = "Measures starts of 'varve up', and its cost when idle.",
    sortOptions = false)
final class StartBench implements Callable<Integer> {

  private static final long STOP_WITHIN_SECONDS = 30;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "9400",
      description = "REST port (default: ${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "starts of each server; the first one is not counted (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(
      names = "--settle-seconds",
      paramLabel = "N",
      defaultValue = "10",
      description = "pause after the first document (default: ${DEFAULT-VALUE})")
  private int settleSeconds;

  @Option(
      names = "--idle-seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "time without requests after that pause (default: ${DEFAULT-VALUE})")
  private int idleSeconds;

  @Option(
      names = "--peer-start",
      paramLabel = "COMMAND",
      description = "starts the peer and ends when it is up; its last word is PID,...")
  private Optional<String> peerStart = Optional.empty();

  @Option(names = "--peer-stop", paramLabel = "COMMAND", description = "stops the peer")
  private Optional<String> peerStop = Optional.empty();

  @Option(names = "--peer-url", paramLabel = "URL", description = "the address of the peer")
  private Optional<String> peerUrl = Optional.empty();

  private StartBench() {}

  /** A process that this program started. */
  private record Started(String url, Process process, boolean printsPids)
      implements StartRun.Starting {

    @Override
    public Processes processes() throws IOException, InterruptedException {
      if (!printsPids) {
        return new Processes(Map.of("server", process.pid()));
      }
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      String[] words = output.strip().split("\\s+");
      Map<String, Long> pids = new LinkedHashMap<>();
      for (String pid : words[words.length - 1].split(",")) {
        pids.put("peer-" + pid, Long.parseLong(pid));
      }
      return new Processes(pids);
    }

    @Override
    public boolean isAlive() {
      return process.isAlive() || (printsPids && process.exitValue() == 0);
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<StartRun> ours = new ArrayList<>();
    List<StartRun> peers = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      add(ours, run, up());
      if (peerStart.isPresent()) {
        add(peers, run, peer());
      }
    }
    System.out.println(
        "| server | first document found, s | CPU s until then | idle, percent of a core | RSS MB | threads |");
    System.out.println("|---|---|---|---|---|---|");
    print("varve up", ours);
    print("peer", peers);
    return 0;
  }

  private static void add(List<StartRun> runs, int run, StartRun result) {
    System.err.printf(Locale.ROOT, "run %d: %s%n", run, result);
    if (run > 0) {
      runs.add(result);
    }
  }

  private StartRun up() throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("varve-start");
    String launcher = Path.of(System.getProperty("varve.home", "."), "varve").toString();
    List<String> command =
        List.of(launcher, "up", "--data", data.toString(), "--port", Integer.toString(port));
    long began = LoadClock.SYSTEM.nanos();
    Process process = new ProcessBuilder(command).redirectOutput(log(data)).start();
    try {
      return measured(new Started("http://127.0.0.1:" + port, process, false), began);
    } finally {
      process.destroy();
      if (!process.waitFor(STOP_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      TemporaryFolders.delete(data);
    }
  }

  private static ProcessBuilder.Redirect log(Path data) {
    return ProcessBuilder.Redirect.to(data.resolve("up.log").toFile());
  }

  private StartRun peer() throws IOException, InterruptedException {
    long began = LoadClock.SYSTEM.nanos();
    Process process =
        new ProcessBuilder(words(peerStart.orElseThrow()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      return measured(new Started(peerUrl.orElseThrow(), process, true), began);
    } finally {
      new ProcessBuilder(words(peerStop.orElseThrow())).inheritIO().start().waitFor();
    }
  }

  private StartRun measured(Started server, long began) throws IOException, InterruptedException {
    return StartRun.of(
        server,
        LoadClock.SYSTEM,
        began,
        Duration.ofSeconds(settleSeconds),
        Duration.ofSeconds(idleSeconds));
  }

  private static List<String> words(String command) {
    return Arrays.asList(command.strip().split("\\s+"));
  }

  private static void print(String name, List<StartRun> runs) {
    if (!runs.isEmpty()) {
      System.out.println(
          String.join(
              " | ",
              "| " + name,
              median(runs, StartRun::seconds),
              median(runs, StartRun::cpuSeconds),
              median(runs, run -> 100 * run.idleCores()),
              median(runs, StartRun::megabytes),
              median(runs, StartRun::threads) + " |"));
    }
  }

  private static String median(List<StartRun> runs, ToDoubleFunction<StartRun> value) {
    return RunStats.medianAndRange(runs, value, 1);
  }
}
