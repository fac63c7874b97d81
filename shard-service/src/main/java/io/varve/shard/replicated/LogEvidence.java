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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares versions that a primary has of documents with the operations in the log.
 *
 * <pre>
 *   the log begins with the first record   the newest accepted operation of the document, up to the
 *                                          seq_no of {@link Disputed}, is that version: CONFIRMS;
 *                                          another one: DENIES
 *   it was truncated                       it has an operation with the version's id, seq_no and
 *                                          term, and no later one of the document: CONFIRMS;
 *                                          otherwise: SILENT
 *   it ends before the seq_no, was         SILENT
 *   revived, or can't be read
 * </pre>
 *
 * A truncated log does not show which operations were accepted. This operation was accepted,
 * because the primary has applied it. Reads the whole log once, because it has no index.
 */
final class LogEvidence {

  /** What the log says about a version. */
  enum Verdict {
    CONFIRMS,
    DENIES,
    SILENT
  }

  private final Map<String, List<Document>> byId;
  private final TermFence fence = new TermFence();
  private long acceptedUpTo = -1;
  private boolean revived;

  private LogEvidence(List<Document> documents) {
    this.byId =
        documents.stream().collect(Collectors.groupingBy(one -> one.disputed.version().id()));
  }

  /**
   * The verdicts, in the order of the versions.
   *
   * @throws LogException if the log could not be read; it may be possible later
   */
  static List<Verdict> of(PartitionLog log, List<Disputed> disputed) throws LogException {
    List<Document> documents = disputed.stream().map(Document::new).toList();
    LogEvidence evidence = new LogEvidence(documents);
    long start = log.startOffset();
    try {
      log.read(start, log.endOffset(), evidence::visit);
    } catch (MalformedRecordException e) {
      return Collections.nCopies(disputed.size(), Verdict.SILENT);
    }
    return documents.stream().map(document -> evidence.verdict(document, start == 0)).toList();
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
    if (accepted) {
      acceptedUpTo = Math.max(acceptedUpTo, header.seqNo());
    }
    byte[] key = stored.record().key();
    List<Document> documents =
        key == null
            ? List.of()
            : byId.getOrDefault(new String(key, StandardCharsets.UTF_8), List.of());
    if (!documents.isEmpty()) {
      Entry entry = Entry.of(OperationCodec.decode(stored.record()));
      documents.forEach(document -> document.visit(entry, accepted));
    }
  }

  private Verdict verdict(Document document, boolean whole) {
    if (revived) {
      return Verdict.SILENT;
    }
    return whole ? document.verdictOfAll(acceptedUpTo) : document.verdictOfTheRest();
  }

  /** An operation of a document. */
  private record Entry(long seqNo, long term, boolean delete) {

    static Entry of(Operation operation) {
      return new Entry(operation.seqNo(), operation.term(), operation.isDelete());
    }
  }

  /** What the log has of one document, up to the seq_no of the version that is compared. */
  private static final class Document {

    final Disputed disputed;
    private @Nullable Entry newest;
    private boolean found;
    private boolean overtaken;

    Document(Disputed disputed) {
      this.disputed = disputed;
    }

    void visit(Entry entry, boolean accepted) {
      if (entry.seqNo() > disputed.upToSeqNo()) {
        return;
      }
      found |= isVersion(entry);
      overtaken |= entry.seqNo() > disputed.version().seqNo();
      if (accepted) {
        newest = entry;
      }
    }

    private boolean isVersion(@Nullable Entry entry) {
      Version version = disputed.version();
      return switch (version.kind()) {
        case ABSENT -> entry == null || entry.delete();
        case DOCUMENT, TOMBSTONE ->
            entry != null
                && entry.seqNo() == version.seqNo()
                && entry.term() == version.term()
                && entry.delete() == (version.kind() == Kind.TOMBSTONE);
      };
    }

    Verdict verdictOfAll(long acceptedUpTo) {
      if (acceptedUpTo < disputed.upToSeqNo()) {
        return Verdict.SILENT;
      }
      return isVersion(newest) ? Verdict.CONFIRMS : Verdict.DENIES;
    }

    Verdict verdictOfTheRest() {
      return found && !overtaken && !disputed.version().absent()
          ? Verdict.CONFIRMS
          : Verdict.SILENT;
    }
  }
}
