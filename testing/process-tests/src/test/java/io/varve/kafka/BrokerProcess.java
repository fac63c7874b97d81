package io.varve.kafka;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A {@link BrokerMain} in its own JVM, which can be killed. It exits when the JVM of the tests
 * ends, because its standard input is closed then.
 */
record BrokerProcess(Process process, CompletableFuture<String> ready) {

  public static void main(String[] arguments) throws Exception {
    Thread.ofPlatform().daemon().name("test-watch").start(BrokerProcess::haltWithTests);
    BrokerMain.main(arguments);
  }

  private static void haltWithTests() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      System.err.println("standard input broke: " + e.getMessage());
    }
    Runtime.getRuntime().halt(1);
  }

  static BrokerProcess start(Path data, String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                BrokerProcess.class.getName(),
                "--data",
                data.toString()));
    command.addAll(List.of(options));
    Path log = Files.createDirectories(data).resolve("broker.log");
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    CompletableFuture<String> ready = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> awaitReady(process, ready));
    return new BrokerProcess(process, ready);
  }

  private static void awaitReady(Process process, CompletableFuture<String> ready) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("ready ")) {
          ready.complete(line.substring("ready ".length()));
        }
      }
      ready.completeExceptionally(new IOException("the broker ended before it was ready"));
    } catch (IOException e) {
      ready.completeExceptionally(e);
    }
  }

  String awaitReady() throws Exception {
    return ready.get(120, TimeUnit.SECONDS);
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Sends SIGTERM; returns whether the process ended within the time. */
  boolean terminate(Duration within) throws InterruptedException {
    process.destroy();
    return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
  }
}
