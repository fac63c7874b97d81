package io.varve.standalone.demo;

import io.varve.standalone.ChildJvm;
import io.varve.standalone.FollowerAccess;
import io.varve.standalone.Readiness;
import io.varve.standalone.RestAccess;
import io.varve.standalone.RestCalls;
import io.varve.standalone.SecurityFolder;
import io.varve.standalone.Standalone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A standalone Varve that outlives the command that started it. Its process id is in {@code
 * <data>/standalone.pid}.
 *
 * @param secured see {@link Standalone.Settings#secured}
 * @param arguments its additional command-line arguments
 */
record Background(Path data, int port, boolean secured, List<String> arguments) {

  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);
  private static final int FOLLOWER_PORT_DISTANCE = 100;

  Background {
    arguments = List.copyOf(arguments);
  }

  /** The second Varve, for {@code --follow}. */
  Background follower() throws IOException {
    return new Background(
        data.resolve("follower"),
        port + FOLLOWER_PORT_DISTANCE,
        secured,
        secured ? options(FollowerAccess.of(data, List.of()).arguments()) : List.of());
  }

  /** Properties of the services as options of {@code varve up}. */
  private static List<String> options(List<String> properties) {
    return properties.stream().flatMap(property -> Arrays.stream(property.split("=", 2))).toList();
  }

  RestAccess access() throws IOException {
    return secured ? new SecurityFolder(data).access() : RestAccess.PLAIN;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  String url() {
    return (secured ? "https://" : "http://") + address();
  }

  /** A client with the rights of the administrator. */
  RestCalls calls() throws IOException {
    return new RestCalls(url(), CALL_TIMEOUT, access());
  }

  /** The options of curl to call this Varve, with a leading space. */
  String curlOptions() {
    SecurityFolder security = new SecurityFolder(data);
    return secured
        ? " --cacert %s -u \"admin:$(cat %s)\""
            .formatted(security.trustFile(), security.adminPasswordFile())
        : "";
  }

  Path log() {
    return data.resolve("standalone.log");
  }

  private Path pidFile() {
    return data.resolve("standalone.pid");
  }

  /** Returns the most recently started process, if it is still running. */
  Optional<ProcessHandle> running() throws IOException {
    if (!Files.exists(pidFile())) {
      return Optional.empty();
    }
    String[] pidAndStart = Files.readString(pidFile()).strip().split(" ", 2);
    return ProcessHandle.of(Long.parseLong(pidAndStart[0]))
        .filter(ProcessHandle::isAlive)
        .filter(p -> pidAndStart.length == 2 && pidAndStart[1].equals(startOf(p)));
  }

  /** The start time of the process, because its pid may have been reused. */
  private static String startOf(ProcessHandle process) {
    return process.info().startInstant().map(Object::toString).orElse("unknown");
  }

  /** Starts Varve unless it is running, and waits until it is up. */
  void ensureUp() throws IOException, InterruptedException {
    ProcessHandle process = running().orElse(null);
    if (secured) {
      // The trusted certificates are needed before the process has created them.
      new SecurityFolder(data).prepare(List.of());
    }
    if (process == null) {
      process = launch();
    }
    ProcessHandle started = process;
    if (Readiness.awaitUp(url(), Standalone.NODES, START_WITHIN, started::isAlive, access())
        .isEmpty()) {
      throw new IOException("Varve did not start; see " + log());
    }
  }

  private ProcessHandle launch() throws IOException {
    Files.createDirectories(data);
    List<String> command = ChildJvm.command(Standalone.class.getName());
    command.addAll(List.of("--data", data.toString(), "--port", Integer.toString(port)));
    command.addAll(arguments);
    if (secured) {
      command.add("--secured");
    }
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
    Files.writeString(pidFile(), process.pid() + " " + startOf(process.toHandle()));
    return process.toHandle();
  }
}
