package io.varve.load;

import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Options of most measurements of a cluster: the server to start, a peer whose runs alternate with
 * the server's, and the size of a run. Defaults differ between measurements.
 */
final class BenchOptions extends ServerOptions {

  private static final String DEFAULT_HEAP = "2g";

  @Option(
      names = "--peer-url",
      paramLabel = "URL",
      description = "a running server with the same dialect, measured in turn")
  private Optional<String> peerUrl = Optional.empty();

  @Option(
      names = "--peer-pids",
      paramLabel = "PID,...",
      split = ",",
      description = "the processes of that server")
  private List<Long> peerPids = List.of();

  @Option(
      names = "--documents",
      paramLabel = "N",
      description = "documents per run (default: ${DEFAULT-VALUE})")
  private int documents;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "concurrent clients (default: ${DEFAULT-VALUE})")
  private int clients;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "measured rounds (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "rounds that are not counted (default: ${DEFAULT-VALUE})")
  private int warmUp;

  /** Creates the options with the defaults of one measurement. */
  BenchOptions(int documents, int clients, int runs, int warmUp) {
    this(DEFAULT_HEAP, documents, clients, runs, warmUp);
  }

  BenchOptions(String heap, int documents, int clients, int runs, int warmUp) {
    super(heap);
    this.documents = documents;
    this.clients = clients;
    this.runs = runs;
    this.warmUp = warmUp;
  }

  Optional<String> peerUrl() {
    return peerUrl;
  }

  List<Long> peerPids() {
    return List.copyOf(peerPids);
  }

  int documents() {
    return documents;
  }

  int clients() {
    return clients;
  }

  int runs() {
    return runs;
  }

  int warmUp() {
    return warmUp;
  }
}
