package io.varve.standalone.demo;

import io.varve.standalone.CommandLines;
import io.varve.standalone.DataOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve down}: stops the cluster that the demo left running. */
@Command(
    name = "varve down",
    description = "Stops the Varve that the demo left running.",
    sortOptions = false)
public final class Down implements Callable<Integer> {

  private static final long STOP_TIMEOUT_SECONDS = 120;

  @Mixin private DataOptions options;

  private Down() {}

  public static void main(String[] arguments) {
    System.exit(commandLine(arguments).execute(arguments));
  }

  public static CommandLine commandLine(String... arguments) {
    return CommandLines.of(new Down(), List.of(), arguments);
  }

  @Override
  public Integer call() throws Exception {
    Background background = new Background(options.data("demo"), options.port(), false, List.of());
    try {
      boolean followerRan = stop(background.follower());
      if (!stop(background) && !followerRan) {
        System.out.println("no process runs on " + background.data());
      }
      return 0;
    } catch (TimeoutException e) {
      System.err.printf(
          "varve: the process has not ended within %d s and continues to stop%n",
          STOP_TIMEOUT_SECONDS);
      return 1;
    }
  }

  private static boolean stop(Background background) throws Exception {
    Optional<ProcessHandle> running = background.running();
    if (running.isEmpty()) {
      return false;
    }
    ProcessHandle process = running.get();
    process.destroy();
    process.onExit().get(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    System.out.println(
        "stopped process " + process.pid() + "; its data remains in " + background.data());
    return true;
  }
}
