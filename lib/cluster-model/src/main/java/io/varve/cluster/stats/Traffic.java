package io.varve.cluster.stats;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts calls of this process to others, and their bytes. */
public final class Traffic {

  private final LongAdder sent = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();

  public void sent(long bytes) {
    sent.increment();
    sentBytes.add(Math.max(0, bytes));
  }

  public void received(long bytes) {
    received.increment();
    receivedBytes.add(Math.max(0, bytes));
  }

  /** The statistics, including calls from other processes to this one. */
  Map<String, Object> stats(Server server) {
    return Tree.of(
        "server_open", server.open(),
        "total_outbound_connections", sent.sum(),
        "rx_count", received.sum() + server.messagesIn(),
        "rx_size_in_bytes", receivedBytes.sum() + server.bytesIn(),
        "tx_count", sent.sum() + server.messagesOut(),
        "tx_size_in_bytes", sentBytes.sum() + server.bytesOut());
  }

  /** Connection counters of a server. */
  public record Server(
      long open, long opened, long messagesIn, long messagesOut, long bytesIn, long bytesOut) {
    public static final Server NONE = new Server(0, 0, 0, 0, 0, 0);
  }
}
