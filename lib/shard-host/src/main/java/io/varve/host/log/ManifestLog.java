package io.varve.host.log;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.events.Manifest;
import io.varve.events.ManifestRecord;
import io.varve.events.RawRecord;
import io.varve.events.ReplicatedSeqNo;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.events.StoredRecord;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One shard's partition of the manifests topic.
 *
 * <p>The topic is not fenced, so the order of its records is the order of the manifests only within
 * a term:
 *
 * <pre>
 *   same term     one publisher, whose appends keep their order: a later record is newer
 *   other terms   no order: a primary that was replaced may append any number of manifests after
 *                 those of its successor, because it is slow, was suspended, or has appends in flight
 * </pre>
 *
 * <p>A record therefore proves nothing about higher terms before it. Neither does the cluster state
 * of a node, which may be outdated. {@link #before} reads back to the start of the partition: each
 * record once, in growing ranges. The key contains the term, so a record is decoded only if it may
 * be newer than those of the ranges after it. The maximum that is read:
 *
 * <pre>
 *   the active segment   16 MiB (segment.bytes); it is never compacted
 *   older segments       the newest record of each term, kind and lease, and what is not compacted
 *                        yet: as many bytes (min.cleanable.dirty.ratio 0.5), or one segment
 * </pre>
 *
 * The first part is some 4,000 manifests of 4 KiB. The second part depends on the number of terms,
 * not on the age of the index.
 *
 * <p>INVARIANT: {@link #before} returns the highest by (term, generation) of the records that can
 * be read.
 */
public record ManifestLog(PartitionLog partition) {

  private static final Logger LOG = LoggerFactory.getLogger(ManifestLog.class);

  /**
   * Number of records to read first; a stored manifest may be far before the newest published one.
   */
  private static final long TAIL_RECORDS = 128;

  /** The same, if only published manifests are needed. */
  private static final long PUBLISHED_TAIL_RECORDS = 8;

  /** The newest manifest of each kind. */
  public record Newest(@Nullable Manifest published, @Nullable StoredManifest stored) {

    static final Newest NONE = new Newest(null, null);

    /**
     * Whether a record before all of those seen may be newer: it has a higher term, or none of its
     * kind was seen.
     */
    boolean mayLack(RawRecord earlier, boolean withStored) {
      long term = ManifestRecord.termOf(earlier);
      if (ManifestRecord.isStored(earlier)) {
        return withStored && (stored == null || term > stored.term());
      }
      return term >= 0 && (published == null || term > published.term());
    }

    Newest with(ManifestRecord record) {
      return switch (record) {
        case ManifestRecord.Published(Manifest manifest)
            when published == null || manifest.isNewerThan(published) ->
            new Newest(manifest, stored);
        case ManifestRecord.Stored(StoredManifest next)
            when stored == null || next.isNewerThan(stored) ->
            new Newest(published, next);
        default -> this;
      };
    }
  }

  /**
   * The newest before {@code endOffset}.
   *
   * @param withStored whether the newest stored manifest is also needed
   */
  public Newest before(long endOffset, boolean withStored) throws LogException {
    if (endOffset == 0) {
      return Newest.NONE;
    }
    long start = partition.startOffset();
    long to = endOffset;
    Newest newest = Newest.NONE;
    long first = withStored ? TAIL_RECORDS : PUBLISHED_TAIL_RECORDS;
    for (long records = first; to > start; records *= 8) {
      long from = Math.max(start, to - records);
      newest = earlier(from, to, newest, withStored);
      to = from;
    }
    return newest;
  }

  /** Combines these records with {@code later}, the newest manifests of the records after them. */
  private Newest earlier(long from, long to, Newest later, boolean withStored) throws LogException {
    Newest[] newest = {later};
    partition.read(
        from,
        to,
        stored -> {
          if (later.mayLack(stored.record(), withStored)) {
            newest[0] = newest[0].with(decode(stored));
          }
        });
    return newest[0];
  }

  private Newest between(long from, long to, Newest known) throws LogException {
    Newest[] newest = {known};
    partition.read(from, to, stored -> newest[0] = newest[0].with(decode(stored)));
    return newest[0];
  }

  /**
   * The seq_no up to which all copies hold all operations, according to a record before {@code
   * endOffset}; -1 for none.
   */
  public long replicatedBefore(long endOffset) throws LogException {
    long[] highest = {-1};
    partition.read(
        partition.startOffset(),
        endOffset,
        stored -> {
          if (ManifestRecord.isReplicated(stored.record())
              && decode(stored) instanceof ManifestRecord.Replicated(var upTo)) {
            highest[0] = Math.max(highest[0], upTo.seqNo());
          }
        });
    return highest[0];
  }

  /** A record that cannot be read is skipped. */
  public static ManifestRecord decode(StoredRecord stored) {
    try {
      return ManifestRecord.of(stored.record());
    } catch (MalformedRecordException e) {
      LOG.warn("the manifest at offset {} can't be read and is skipped", stored.offset(), e);
      return new ManifestRecord.Nothing();
    }
  }

  /**
   * A term's claim.
   *
   * @param stored repeats the manifest that the store holds for this shard; this term's primary may
   *     build on no other
   */
  public record Claim(StoredManifest stored, long offset) {}

  /**
   * Claims the store for the term.
   *
   * @throws LogException.Unavailable also if a higher term has claimed the store
   */
  public Claim claim(ShardId shard, long term) throws LogException, InterruptedException {
    long end = partition.endOffset();
    StoredManifest found = before(end, true).stored();
    while (true) {
      refuseNewerThan(term, found);
      StoredManifest claim = StoredManifest.claim(shard, term, found);
      long offset = append(claim);
      // A manifest that an earlier term stored before the claim precedes it in the log, and is
      // valid.
      StoredManifest between = between(end, offset, new Newest(null, found)).stored();
      refuseNewerThan(term, between);
      if (Objects.equals(between, found)) {
        return new Claim(claim, offset);
      }
      found = between;
      end = offset;
    }
  }

  private static void refuseNewerThan(long term, @Nullable StoredManifest found)
      throws LogException.Unavailable {
    if (found != null && found.term() > term) {
      throw new LogException.Unavailable(
          "term " + found.term() + " has claimed the segment store, this is term " + term);
    }
  }

  /** Whether a primary of a higher term has claimed the store between the two offsets. */
  public boolean claimedAbove(long term, long fromOffset, long toOffset) throws LogException {
    StoredManifest newest = between(fromOffset, toOffset, Newest.NONE).stored();
    return newest != null && newest.term() > term;
  }

  /**
   * @throws LogException.Unavailable if the append failed, or its outcome is unknown
   */
  public long append(StoredManifest stored) throws LogException, InterruptedException {
    return append(RawRecord.keyed(stored.recordKey(), Json.write(stored)));
  }

  /**
   * @throws LogException.Unavailable if the append failed, or its outcome is unknown
   */
  public long append(Manifest manifest) throws LogException, InterruptedException {
    return append(RawRecord.keyed(manifest.recordKey(), Json.write(manifest)));
  }

  /**
   * @throws LogException.Unavailable if the append failed, or its outcome is unknown
   */
  public long append(ReplicatedSeqNo upTo) throws LogException, InterruptedException {
    return append(RawRecord.keyed(upTo.recordKey(), Json.write(upTo)));
  }

  private long append(RawRecord record) throws LogException, InterruptedException {
    return Appends.await(partition, record);
  }
}
