package io.varve.load;

import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Options of every measurement of a cluster: the server to start, a peer whose runs alternate with
 * the server's, and the size of a run. Defaults differ between measurements.
 */
final class BenchOptions {

  private static final String DEFAULT_HEAP = "2g";

  /** When the broker syncs its log. */
  private enum Flush {
    ALWAYS("always"),
    OS("os");

    private final String text;

    Flush(String text) {
      this.text = text;
    }
  }

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "9400",
      description = "port of the cluster's coordinator (default: ${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--log.flush",
      paramLabel = "always|os",
      defaultValue = "os",
      description = "fsync before an ack, or when the system decides (default: ${DEFAULT-VALUE})")
  private Flush flush;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "maximum heap of each process (default: ${DEFAULT-VALUE})")
  private String heap;

  @Option(
      names = "--peer-url",
      paramLabel = "URL",
      description = "a running server that speaks the dialect, measured in turn")
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
    this.heap = heap;
    this.documents = documents;
    this.clients = clients;
    this.runs = runs;
    this.warmUp = warmUp;
  }

  int port() {
    return port;
  }

  String flush() {
    return flush.text;
  }

  String heap() {
    return heap;
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
