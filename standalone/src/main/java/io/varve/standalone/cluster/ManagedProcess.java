package io.varve.standalone.cluster;

import io.varve.standalone.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A child process. It is started with the flags of this JVM and writes to {@code
 * <data>/logs/<name>.log}. It exits when this process ends, because its standard input is then
 * closed; see {@link Child}.
 */
final class ManagedProcess {

  private final ProcessPlan plan;
  private final Path data;
  private final String heap;
  private Process process;

  ManagedProcess(ProcessPlan plan, Path data, String heap) throws IOException {
    this.plan = plan;
    this.data = data;
    this.heap = heap;
    this.process = launch();
  }

  private Process launch() throws IOException {
    Files.createDirectories(log().getParent());
    List<String> flags = new ArrayList<>(List.of("-Xmx" + heap));
    flags.addAll(plan.jvmFlags());
    List<String> command = ChildJvm.command(Child.class.getName(), flags.toArray(String[]::new));
    command.add(plan.role().mainClass);
    command.addAll(plan.arguments());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    return builder.start();
  }

  /**
   * The file that receives its output; it also contains the output of earlier processes with this
   * name.
   */
  Path log() {
    return data.resolve("logs").resolve(plan.name() + ".log");
  }

  ProcessPlan plan() {
    return plan;
  }

  synchronized long pid() {
    return process.pid();
  }

  synchronized Process process() {
    return process;
  }

  synchronized void restart() throws IOException {
    process = launch();
  }

  /** Terminates the process, and kills it if it does not exit in time. */
  void stop(Duration within) throws InterruptedException {
    Process current = process();
    current.destroy();
    if (!current.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
      current.destroyForcibly();
    }
  }
}
