package io.varve.ccr;

import io.varve.events.MalformedRecordException;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordDigest;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The operations of one request to the follower's primary, decoded from records of the leader's
 * log, each with its origin.
 *
 * <pre>
 *   a record that can be decoded       the operation
 *   the record that was skipped        a delete of the same document, with the same seq_no
 *   a record that can't be decoded     ends the request; the records before it are sent
 * </pre>
 *
 * A record that can't be decoded was written by a newer release or is damaged. Its term and seq_no
 * are known, because {@link io.varve.log.TermFence} accepted it, so an operator can skip it.
 *
 * @param unreadable the record that ended the request
 */
record LeaderOperations(List<Operation> operations, Optional<Unreadable> unreadable) {

  /**
   * A record that can't be decoded, or whose header can't be read.
   *
   * @param seqNo its seq_no, or the one that it has if it is an operation
   */
  record Unreadable(long offset, long seqNo, String reason) {}

  LeaderOperations {
    operations = List.copyOf(operations);
  }

  /**
   * @param skippedOffset the offset of the operation that an operator skipped
   */
  static LeaderOperations of(List<StoredRecord> records, long skippedOffset) {
    List<Operation> operations = new ArrayList<>(records.size());
    for (StoredRecord stored : records) {
      if (stored.offset() == skippedOffset) {
        operations.add(skipped(stored));
        continue;
      }
      try {
        operations.add(withOrigin(stored, OperationCodec.decode(stored.record())));
      } catch (MalformedRecordException e) {
        long seqNo = RecordHeader.read(stored.record().header()).seqNo();
        String reason =
            "the record at offset %d of the leader's log, seq_no %d, can't be decoded: %s"
                .formatted(stored.offset(), seqNo, e.getMessage());
        return new LeaderOperations(
            operations, Optional.of(new Unreadable(stored.offset(), seqNo, reason)));
      }
    }
    return new LeaderOperations(operations, Optional.empty());
  }

  private static Operation skipped(StoredRecord stored) {
    try {
      return withOrigin(stored, OperationCodec.decode(stored.record()).asDelete());
    } catch (MalformedRecordException e) {
      RecordHeader header = RecordHeader.read(stored.record().header());
      return deleteInPlaceOf(stored, header.term(), header.seqNo());
    }
  }

  /**
   * A delete of the document of a record that can't be decoded. The record's version is unknown. A
   * document has at most one version per operation of its shard, so this one is not below any
   * earlier version. A record without a key is not about a document.
   */
  static Operation deleteInPlaceOf(StoredRecord stored, long term, long seqNo) {
    byte[] key = stored.record().key();
    String id =
        key == null ? "_skipped-" + stored.offset() : new String(key, StandardCharsets.UTF_8);
    return withOrigin(stored, new Operation(term, seqNo, seqNo + 1, 0, id, null, null, null));
  }

  private static Operation withOrigin(StoredRecord stored, Operation operation) {
    return operation.withOrigin(
        new Operation.Origin(stored.offset(), operation.term(), RecordDigest.of(stored)));
  }
}
