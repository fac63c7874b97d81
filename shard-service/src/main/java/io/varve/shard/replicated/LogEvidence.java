package io.varve.shard.replicated;

import io.varve.events.MalformedRecordException;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.rpc.HoldsWire.Kind;
import io.varve.rpc.HoldsWire.Version;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Compares a version that a primary has of a document with the operations in the log.
 *
 * <pre>
 *   the log begins with the first record   the newest accepted operation of the document up to the
 *                                          seq_no is that version: CONFIRMS; another one: DENIES
 *   it was truncated                       it has an operation with the version's id, seq_no and
 *                                          term: CONFIRMS; none: SILENT
 *   it ends before the seq_no, was         SILENT
 *   revived, or can't be read
 * </pre>
 *
 * In a truncated log it is unknown which operations were accepted. But the primary has applied this
 * one, so it was. Reads the whole log, because it has no index.
 */
final class LogEvidence {

  /** What the log says about the version. */
  enum Verdict {
    CONFIRMS,
    DENIES,
    SILENT
  }

  private final Version version;
  private final TermFence fence = new TermFence();
  private @Nullable Operation newest;
  private boolean found;
  private boolean revived;
  private boolean passed;

  private LogEvidence(Version version) {
    this.version = version;
  }

  /**
   * @throws LogException if the log could not be read; it may be possible later
   */
  static Verdict of(PartitionLog log, Version version) throws LogException {
    LogEvidence evidence = new LogEvidence(version);
    long start = log.startOffset();
    try {
      log.read(start, log.endOffset(), evidence::visit);
    } catch (MalformedRecordException e) {
      return Verdict.SILENT;
    }
    return evidence.verdict(start == 0);
  }

  private void visit(StoredRecord stored) {
    byte[] bytes = stored.record().header();
    if (bytes.length == 0) {
      return;
    }
    RecordHeader header = RecordHeader.read(bytes);
    boolean accepted = fence.judge(header).accepted();
    revived |= header.kind() == RecordHeader.Kind.REVIVAL;
    if (header.kind() != RecordHeader.Kind.DATA) {
      return;
    }
    passed |= accepted && header.seqNo() >= version.seqNo();
    if (header.seqNo() > version.seqNo() || !isOfDocument(stored)) {
      return;
    }
    Operation operation = OperationCodec.decode(stored.record());
    found |= isVersion(operation);
    if (accepted) {
      newest = operation;
    }
  }

  private boolean isOfDocument(StoredRecord stored) {
    byte[] key = stored.record().key();
    return key != null && version.id().equals(new String(key, StandardCharsets.UTF_8));
  }

  private boolean isVersion(@Nullable Operation operation) {
    return switch (version.kind()) {
      case ABSENT -> operation == null || operation.isDelete();
      case DOCUMENT, TOMBSTONE ->
          operation != null
              && operation.seqNo() == version.seqNo()
              && operation.term() == version.term()
              && operation.isDelete() == (version.kind() == Kind.TOMBSTONE);
    };
  }

  private Verdict verdict(boolean whole) {
    if (revived) {
      return Verdict.SILENT;
    }
    if (whole) {
      if (!passed) {
        return Verdict.SILENT;
      }
      return isVersion(newest) ? Verdict.CONFIRMS : Verdict.DENIES;
    }
    return found && !version.absent() ? Verdict.CONFIRMS : Verdict.SILENT;
  }
}
