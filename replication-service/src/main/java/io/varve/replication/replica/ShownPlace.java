package io.varve.replication.replica;

import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.host.log.OpenedLog;
import io.varve.host.reading.Freshness;
import io.varve.host.reading.LogEnd;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.OffsetWatcher;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How far into the log a segment replica shows it, and who waits for more. */
final class ShownPlace implements AutoCloseable {

  private final OffsetWatcher visible = new OffsetWatcher(-1);
  private final OffsetWatcher shownOffset = new OffsetWatcher(0);
  private final Supplier<@Nullable Manifest> shown;
  private final LogEnd logEnd;
  private final Freshness freshness;

  /**
   * @param shown the manifest that is shown, null before the first
   * @param want asks for more
   * @param lost told when the log no longer holds what is shown
   */
  ShownPlace(
      CopyContext context,
      Supplier<@Nullable Manifest> shown,
      Freshness.Want want,
      Consumer<LogException.Lost> lost) {
    this.shown = shown;
    this.logEnd =
        new LogEnd(
            context.operations(), this::position, shownOffset, context.node().blocking(), lost);
    this.freshness = new Freshness(logEnd::newest, visible, want, System::nanoTime);
  }

  private @Nullable LogPosition position() {
    Manifest now = shown.get();
    return now == null ? null : OpenedLog.position(now);
  }

  /** That manifest is shown from here on. */
  void show(Manifest manifest) {
    visible.advanceTo(manifest.visibleSeqNo());
    shownOffset.advanceTo(manifest.nextOffset());
  }

  OffsetWatcher visible() {
    return visible;
  }

  LogEnd logEnd() {
    return logEnd;
  }

  Freshness freshness() {
    return freshness;
  }

  @Override
  public void close() {
    visible.close();
    shownOffset.close();
  }
}
