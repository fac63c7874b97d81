package io.varve.standalone.demo;

import io.varve.standalone.Options;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Ends the Varve that the demo left running. */
public final class Down {

  private static final long WITHIN_SECONDS = 15;

  private Down() {}

  public static void main(String[] arguments) throws Exception {
    Options options = Options.parseOrExit(arguments, Set.of("data", "port"));
    Background background =
        new Background(options.data("demo"), options.number("port", 9200, 1, 65535));
    Optional<ProcessHandle> running = background.running();
    if (running.isEmpty()) {
      System.out.println("nothing runs on " + background.data());
      return;
    }
    ProcessHandle process = running.get();
    process.destroy();
    process.onExit().get(WITHIN_SECONDS, TimeUnit.SECONDS);
    System.out.println(
        "ended process " + process.pid() + "; its data stays in " + background.data());
  }
}
