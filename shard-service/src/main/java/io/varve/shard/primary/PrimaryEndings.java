package io.varve.shard.primary;

import io.varve.host.CopyContext;
import io.varve.log.FencedWriter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the writes of a primary: its gate is closed, or it fails. It notifies its host once, and the
 * host opens another copy. Thread-safe.
 */
final class PrimaryEndings {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryEndings.class);

  private final CopyContext context;
  private final long term;
  private final PrimaryLife life;
  private final PrimaryGate gate;
  private final MergesAhead merges;
  private final Supplier<@Nullable FencedWriter> writer;
  private volatile boolean logLost;

  /**
   * @param writer null before the replay
   */
  PrimaryEndings(
      CopyContext context,
      long term,
      PrimaryLife life,
      PrimaryGate gate,
      MergesAhead merges,
      Supplier<@Nullable FencedWriter> writer) {
    this.context = context;
    this.term = term;
    this.life = life;
    this.gate = gate;
    this.merges = merges;
    this.writer = writer;
  }

  /** A primary of that later term may write, or the outcome of an append is unknown. */
  void closedBy(String reason, long newerTerm) {
    gate.closedBy(newerTerm);
    context
        .host()
        .gate(newerTerm > 0 ? CopyContext.GateChange.FENCED : CopyContext.GateChange.CLOSED);
    gateClosed(reason);
  }

  void gateClosed(String reason) {
    life.now().parts().ifPresent(now -> now.sequencer().gateClosed());
    gate.closed();
    merges.close();
    if (life.gateClosed()) {
      LOG.warn("{}: the gate of term {} is closed: {}", context.shard(), term, reason);
      context.host().broken(reason);
    }
  }

  /** The log can no longer provide what the copy has applied. */
  void logLost(String reason) {
    logLost = true;
    fail(reason);
  }

  /**
   * Whether the copy, although it has failed, must commit its applied operations when it closes.
   */
  boolean logLost() {
    return logLost;
  }

  void fail(String reason) {
    if (life.failed()) {
      LOG.error("{} can't continue as the primary of term {}: {}", context.shard(), term, reason);
      FencedWriter open = writer.get();
      if (open != null) {
        open.close("the copy failed: " + reason);
      }
      context.host().broken(reason);
    }
  }
}
