package io.varve.node.replica;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.events.Manifest;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a shard's newest manifest without reading all that were ever published: the last records
 * hold it, unless compaction has left a hole there; then all are read.
 */
final class NewestManifest {

  private static final Logger LOG = LoggerFactory.getLogger(NewestManifest.class);
  private static final long TAIL_RECORDS = 128;

  private @Nullable Manifest newest;

  private NewestManifest() {}

  /** The newest of those before {@code endOffset}, {@code null} when there is none. */
  static @Nullable Manifest before(long endOffset, PartitionLog manifests) throws LogException {
    NewestManifest search = new NewestManifest();
    long start = manifests.startOffset();
    long tail = Math.max(start, endOffset - TAIL_RECORDS);
    manifests.read(tail, endOffset, search::visit);
    if (search.newest == null && tail > start) {
      manifests.read(start, tail, search::visit);
    }
    return search.newest;
  }

  private void visit(StoredRecord stored) {
    Manifest manifest = decode(stored);
    if (manifest != null && (newest == null || manifest.isNewerThan(newest))) {
      newest = manifest;
    }
  }

  /** {@code null} for a record that is no manifest: one that was taken back, or can't be read. */
  static @Nullable Manifest decode(StoredRecord stored) {
    byte[] value = stored.record().value();
    if (value == null) {
      return null;
    }
    try {
      return Json.read(value, Manifest.class);
    } catch (MalformedRecordException e) {
      LOG.warn("the manifest at offset {} can't be read and is left out", stored.offset(), e);
      return null;
    }
  }
}
