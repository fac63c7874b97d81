package io.varve.standalone.status;

import io.varve.events.Json;
import io.varve.standalone.CommandLines;
import io.varve.standalone.ConnectOptions;
import io.varve.standalone.RestCalls;
import io.varve.standalone.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code varve status}: shows the state of a running Varve; ends with 0 if it is green, else 1. */
@Command(
    name = "varve status",
    description = "Shows health, nodes, indices, followers and open breakers.",
    footer = {"", "Ends with 0 if the cluster is green, else with 1."},
    sortOptions = false)
public final class Status implements Callable<Integer> {

  /** A node that is frozen delays the table of nodes for ten seconds. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Mixin private ConnectOptions connection;

  @Option(names = "--json", description = "prints one JSON object instead of tables")
  private boolean json;

  private Status() {}

  public static void main(String[] arguments) {
    System.setProperty("logback.configurationFile", "logback-stderr.xml");
    System.exit(commandLine(arguments).execute(arguments));
  }

  public static CommandLine commandLine(String... arguments) {
    return CommandLines.of(new Status(), List.of(), arguments);
  }

  @Override
  public Integer call() {
    try (RestCalls rest = connection.connect(TIMEOUT)) {
      ClusterStatus status = new StatusReader(rest).read();
      if (json) {
        System.out.println(
            Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(status));
      } else {
        new StatusText(Terminal.isColoured()).of(status).forEach(System.out::println);
      }
      return status.hasGreenHealth() ? 0 : 1;
    } catch (IOException | IllegalStateException e) {
      System.err.println("varve: " + e.getMessage());
      return 1;
    }
  }
}
