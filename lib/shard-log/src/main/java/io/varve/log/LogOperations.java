package io.varve.log;

import io.varve.events.RecordHeader;
import java.util.Optional;

/** Finds operations in a partition. */
public final class LogOperations {

  /** A range of this many records contains an operation, unless all of them are fences. */
  private static final int FEW_RECORDS = 64;

  private LogOperations() {}

  /** The first operation of the partition, whatever its term; empty if there are only fences. */
  public static Optional<RecordHeader> first(PartitionLog log) throws LogException {
    long end = log.endOffset();
    RecordHeader[] found = {null};
    for (long from = log.startOffset(); from < end && found[0] == null; from += FEW_RECORDS) {
      log.read(
          from,
          Math.min(end, from + FEW_RECORDS),
          stored -> {
            byte[] bytes = stored.record().header();
            RecordHeader header = bytes.length == 0 ? null : RecordHeader.read(bytes);
            if (found[0] == null && header != null && header.kind() == RecordHeader.Kind.DATA) {
              found[0] = header;
            }
          });
    }
    return Optional.ofNullable(found[0]);
  }
}
