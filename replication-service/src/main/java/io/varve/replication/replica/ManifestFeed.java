package io.varve.replication.replica;

import io.varve.events.Manifest;
import io.varve.events.ManifestRecord;
import io.varve.events.StoredManifest;
import io.varve.events.StoredRecord;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the manifests of a shard: the newest one published, and the newest one whose files are
 * all in the segment store. Earlier manifests are read by {@link #follow}, later ones on the log's
 * thread.
 *
 * <p>INVARIANT: neither of the two is ever replaced by an older one.
 */
final class ManifestFeed implements AutoCloseable {

  private final PartitionLog manifests;
  private final boolean withStored;
  private final Consumer<Manifest> newer;
  private final Consumer<String> lost;
  private final OffsetWatcher read = new OffsetWatcher(0);
  private volatile @Nullable Manifest newest;
  private volatile @Nullable StoredManifest stored;
  private volatile PartitionLog.@Nullable Subscription subscription;

  /**
   * @param withStored whether stored manifests are needed
   * @param newer called with each manifest that is newer than all previous ones
   * @param lost called with the reason if the topic can no longer be followed
   */
  ManifestFeed(
      PartitionLog manifests, boolean withStored, Consumer<Manifest> newer, Consumer<String> lost) {
    this.manifests = manifests;
    this.withStored = withStored;
    this.newer = newer;
    this.lost = lost;
  }

  @Nullable Manifest newest() {
    return newest;
  }

  @Nullable StoredManifest stored() {
    return stored;
  }

  /** Whether everything that was published before this call was read within the timeout. */
  boolean caughtUp(Duration timeout) throws LogException, InterruptedException {
    return read.await(manifests.endOffset(), timeout);
  }

  void follow() throws LogException {
    long end = manifests.endOffset();
    ManifestLog.Newest last = new ManifestLog(manifests).before(end, withStored);
    if (last.stored() != null) {
      stored = last.stored();
    }
    if (last.published() != null) {
      seen(last.published());
    }
    read.advanceTo(end);
    subscription =
        manifests.subscribe(
            end,
            new PartitionLog.BatchListener() {
              @Override
              public void records(List<StoredRecord> batch) {
                for (StoredRecord record : batch) {
                  seen(ManifestLog.decode(record));
                  read.advanceTo(record.offset() + 1);
                }
              }

              @Override
              public void lost(LogException.OutOfRange reason) {
                lost.accept("the manifests are gone: " + reason.getMessage());
              }
            });
  }

  private void seen(ManifestRecord record) {
    switch (record) {
      case ManifestRecord.Published(Manifest manifest) -> seen(manifest);
      case ManifestRecord.Stored(StoredManifest next) -> {
        StoredManifest known = stored;
        if (known == null || next.isNewerThan(known)) {
          stored = next;
        }
      }
      case ManifestRecord.Leased _,
          ManifestRecord.Released _,
          ManifestRecord.Replicated _,
          ManifestRecord.Nothing _ -> {}
    }
  }

  private void seen(Manifest manifest) {
    Manifest known = newest;
    if (known == null || manifest.isNewerThan(known)) {
      newest = manifest;
      newer.accept(manifest);
    }
  }

  @Override
  public void close() {
    PartitionLog.Subscription following = subscription;
    if (following != null) {
      following.close();
    }
    read.close();
  }
}
