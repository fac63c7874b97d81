package io.varve.changes;

import io.varve.events.MalformedRecordException;
import io.varve.events.Manifest;
import io.varve.events.ManifestRecord;
import io.varve.events.RawRecord;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the fence in force at an offset that has no committed state: at the first start of a group,
 * or after an operator has reset the offset of the group. It reads the log from the nearest earlier
 * offset whose fence is known, as every reader does:
 *
 * <pre>
 *   the position of the newest manifest, unless it is after the offset
 *   offset 0, in a log that was never truncated
 *   the position of an older manifest
 *   else the fence is unknown up to the next position of a manifest: reading starts there
 * </pre>
 *
 * An older manifest is not preferred to offset 0, because it may describe a former log of the
 * partition.
 */
final class StartingFences {

  private final Supplier<MessageLog> log;

  StartingFences(Supplier<MessageLog> log) {
    this.log = log;
  }

  /**
   * The state just before the record at {@code offset}, or at the first later offset where it is
   * known.
   *
   * @throws ChangeStreamException.Lost if there is no such offset
   * @throws LogException if the log can't be read
   */
  LogPosition at(ChangeTopic topic, int shard, long offset) throws LogException {
    PartitionLog operations = log.get().open(topic.operations(), shard);
    long startOffset = operations.startOffset();
    List<LogPosition> manifests = manifests(topic, shard, startOffset);
    Optional<LogPosition> newest =
        manifests.isEmpty() ? Optional.empty() : Optional.of(manifests.getLast());
    if (newest.isPresent() && newest.get().nextOffset() <= offset) {
      return replay(operations, newest.get(), offset);
    }
    if (startOffset == 0) {
      return replay(operations, new LogPosition(0, 0, 0), offset);
    }
    List<LogPosition> byOffset =
        manifests.stream().sorted(Comparator.comparingLong(LogPosition::nextOffset)).toList();
    Optional<LogPosition> before =
        byOffset.reversed().stream().filter(known -> known.nextOffset() <= offset).findFirst();
    if (before.isPresent()) {
      return replay(operations, before.get(), offset);
    }
    return byOffset.stream()
        .findFirst()
        .orElseThrow(() ->
            new ChangeStreamException.Lost(
                "the term at offset "
                    + offset
                    + " of shard "
                    + shard
                    + " of ["
                    + topic.operations()
                    + "] can't be determined: its log begins at offset "
                    + startOffset
                    + ", and there is no manifest"));
  }

  /** The positions of the manifests, the newest last, as far as the log can be read from them. */
  private List<LogPosition> manifests(ChangeTopic topic, int shard, long startOffset)
      throws LogException {
    PartitionLog partition = log.get().open(topic.manifests(), shard);
    List<Manifest> found = new ArrayList<>();
    try {
      partition.read(
          partition.startOffset(),
          partition.endOffset(),
          stored -> {
            if (published(stored.record()) instanceof ManifestRecord.Published(Manifest manifest)
                && manifest.shard().number() == shard
                && manifest.nextOffset() >= startOffset) {
              found.add(manifest);
            }
          });
    } catch (LogException.OutOfRange e) {
      // The topic of manifests was deleted or does not exist yet: without it, the log has to be
      // read.
      return List.of();
    }
    return found.stream()
        .sorted(Comparator.comparingLong(Manifest::term).thenComparingLong(Manifest::generation))
        .map(m -> new LogPosition(m.nextOffset(), m.nextSeqNo(), m.fenceTerm()))
        .toList();
  }

  /** A manifest that this version can't read gives no position, but others do. */
  private static ManifestRecord published(RawRecord record) {
    try {
      return ManifestRecord.of(record);
    } catch (MalformedRecordException e) {
      return new ManifestRecord.Nothing();
    }
  }

  private static LogPosition replay(PartitionLog operations, LogPosition from, long offset)
      throws LogException {
    TermFence fence = new TermFence(from.fenceTerm(), from.nextSeqNo());
    operations.read(from.nextOffset(), offset, stored -> fence.judge(operations, stored));
    return new LogPosition(offset, fence.nextSeqNo(), fence.term());
  }
}
