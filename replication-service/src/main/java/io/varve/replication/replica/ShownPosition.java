package io.varve.replication.replica;

import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.host.OpenedLog;
import io.varve.host.reading.LogEnd;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.OffsetWatcher;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The position in the log up to which a segment replica shows operations, and the log's end. */
final class ShownPosition implements AutoCloseable {

  private final OffsetWatcher visible;
  private final OffsetWatcher shownOffset = new OffsetWatcher(0);
  private final Supplier<@Nullable Manifest> shown;
  private final LogEnd logEnd;

  /**
   * @param visible the seq_no up to which searches see everything
   * @param shown the manifest that is shown, null before the first
   * @param lost called when the log no longer holds everything that is shown
   */
  ShownPosition(
      CopyContext context,
      OffsetWatcher visible,
      Supplier<@Nullable Manifest> shown,
      Consumer<LogException.Lost> lost) {
    this.visible = visible;
    this.shown = shown;
    this.logEnd =
        new LogEnd(
            context.operations(), this::position, shownOffset, context.node().blocking(), lost);
  }

  private @Nullable LogPosition position() {
    Manifest now = shown.get();
    return now == null ? null : OpenedLog.position(now);
  }

  /** From now on, that manifest is shown. */
  void show(Manifest manifest) {
    visible.advanceTo(manifest.visibleSeqNo());
    shownOffset.advanceTo(manifest.nextOffset());
  }

  LogEnd logEnd() {
    return logEnd;
  }

  @Override
  public void close() {
    visible.close();
    shownOffset.close();
  }
}
