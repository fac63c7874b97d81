package io.varve.kafka;

import io.varve.standalone.ChildJvm;
import io.varve.standalone.cluster.Child;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A {@link BrokerMain} in its own JVM, which can be killed. It exits when the JVM of the tests
 * ends.
 */
record BrokerProcess(Process process, CompletableFuture<String> ready) {

  static BrokerProcess start(Path data, String... options) throws IOException {
    List<String> command = ChildJvm.command(Child.class.getName(), "-Xmx256m");
    command.addAll(List.of(BrokerMain.class.getName(), "--data", data.toString()));
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
