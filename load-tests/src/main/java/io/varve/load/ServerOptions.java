package io.varve.load;

import picocli.CommandLine.Option;

/** Options of the cluster that a measurement starts. */
class ServerOptions {

  /** The times at which the broker syncs its log. */
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

  ServerOptions(String heap) {
    this.heap = heap;
  }

  final int port() {
    return port;
  }

  final String flush() {
    return flush.text;
  }

  final String heap() {
    return heap;
  }
}
