package io.varve.shard.primary;

import io.varve.events.Manifest;
import io.varve.host.ShardCopy.State;
import io.varve.log.FencedWriter;
import io.varve.shard.retention.LogNeeds;
import io.varve.shard.retention.LogTruncation;
import org.jspecify.annotations.Nullable;

/** The offsets from which a primary, its replicas and its segment store need the log. */
final class PrimaryOffsets implements LogTruncation.Primary {

  private final PrimaryLife life;
  private final PrimaryRecovery recovery;
  private final PrimaryStore store;
  private volatile long publishedOffset = LogNeeds.UNKNOWN;

  PrimaryOffsets(PrimaryLife life, PrimaryRecovery recovery, PrimaryStore store) {
    this.life = life;
    this.recovery = recovery;
    this.store = store;
  }

  /** Called when the manifest is in the log. */
  void published(Manifest manifest) {
    publishedOffset = manifest.nextOffset();
  }

  @Override
  public boolean isOpen() {
    FencedWriter writer = recovery.writer();
    return life.state() == State.STARTED && writer != null && writer.isOpen();
  }

  @Override
  public long durableOffset() {
    return life.now().parts().map(parts -> parts.engine().committed().nextOffset()).orElse(-1L);
  }

  @Override
  public long publishedOffset() {
    return publishedOffset;
  }

  @Override
  public @Nullable Long storedOffset() {
    return store.heldOffset();
  }
}
