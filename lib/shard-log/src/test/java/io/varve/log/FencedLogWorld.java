package io.varve.log;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A fenced log that answers on the caller's thread, and a listener that records what it gets. */
abstract class FencedLogWorld {

  final PartitionLog log = new InMemoryMessageLog(Runnable::run, () -> 0).open("operations", 0);

  /** Records the calls of a listener as text. */
  static final class Told implements FencedTail.Listener {
    final List<Long> accepted = new ArrayList<>();
    final List<UnreadableRecordException> unreadable = new ArrayList<>();
    final List<Long> missed = new ArrayList<>();
    final List<Long> gaps = new ArrayList<>();
    long nextOffset;
    long term;

    @Override
    public void accepted(List<StoredRecord> batch, long next, long inForce) {
      batch.forEach(stored -> accepted.add(stored.offset()));
      nextOffset = next;
      term = inForce;
    }

    @Override
    public void lost(LogException.OutOfRange reason) {
      nextOffset = -1;
    }

    @Override
    public void fenceMissed(StoredRecord record) {
      missed.add(record.offset());
    }

    @Override
    public void gapFound(StoredRecord record) {
      gaps.add(record.offset());
    }

    @Override
    public void unreadable(UnreadableRecordException reason) {
      unreadable.add(reason);
    }
  }

  /** Readers have encountered the record when this returns. */
  final void append(RawRecord record) throws Exception {
    var _ = Appends.await(log, record);
  }

  final void fence(long term) throws Exception {
    append(RecordHeader.fence(term, "n1"));
  }

  final void data(long term, long seqNo) throws Exception {
    append(operation(term, seqNo));
  }

  static RawRecord operation(long term, long seqNo) {
    byte[] bytes = "x".getBytes(StandardCharsets.UTF_8);
    return RecordHeader.data(term, seqNo, bytes, bytes);
  }

  final void unreadableRecord() throws Exception {
    append(new RawRecord(null, new byte[] {1}, new byte[] {99, 99, 99}));
  }

  /** Appends records of two terms, of which those at offsets 1 and 4 are accepted. */
  final void zombieBetweenTwoTerms() throws Exception {
    fence(1);
    data(1, 0);
    fence(2);
    data(1, 1);
    data(2, 1);
    data(2, 3);
  }
}
