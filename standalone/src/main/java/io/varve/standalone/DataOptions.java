package io.varve.standalone;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of every command for a Varve on this machine: its data folder and its port. */
public final class DataOptions {

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "data folder (default: a folder below $$XDG_DATA_HOME/varve)")
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--port",
      paramLabel = "N",
      converter = IntRange.Port.class,
      defaultValue = "9200",
      description = "REST port (default: ${DEFAULT-VALUE})")
  private int port;

  public int port() {
    return port;
  }

  /** The value of {@code --data}, if it was given. */
  public Optional<Path> givenData() {
    return data;
  }

  /** The data folder: {@code --data}, or {@code name} in the user's data home. */
  public Path data(String name) {
    return data.orElseGet(() -> byDefault(name)).toAbsolutePath().normalize();
  }

  /** The folder {@code name} in the user's data home. */
  public static Path byDefault(String name) {
    return dataHome().resolve("varve").resolve(name);
  }

  private static Path dataHome() {
    String dataHome = System.getenv("XDG_DATA_HOME");
    return dataHome == null || dataHome.isBlank()
        ? Path.of(System.getProperty("user.home"), ".local", "share")
        : Path.of(dataHome);
  }
}
