package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordDigest;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The accepted content of a partition of operations, computed by a minimal implementation of the
 * fence's rule that shares no code with the classes under test. Invariants compare against it.
 */
final class AcceptedLog {

  /** A record that every reader must apply. */
  record Accepted(long offset, Operation operation, String writer, long digest) {

    /** Whether it is part of the content with which a follower began. */
    boolean isBeforeTheLog() {
      return offset < 0;
    }

    /** Whether a follower that pulled this operation holds it as {@code mine}. */
    boolean isOriginOf(Operation mine) {
      return isSameAs(mine)
          && !isBeforeTheLog()
          && new Operation.Origin(offset, operation.term(), digest).equals(mine.origin());
    }

    /** Whether both have the same number, version and content. */
    boolean isSameAs(Operation mine) {
      return mine.seqNo() == operation.seqNo()
          && mine.id().equals(operation.id())
          && mine.version() == operation.version()
          && Arrays.equals(mine.source(), operation.source());
    }
  }

  private final List<Accepted> accepted = new ArrayList<>();

  private final Map<String, List<Operation>> byId = new HashMap<>();
  private final List<Long> termBefore = new ArrayList<>();
  private final List<Long> seqNoBefore = new ArrayList<>();
  private long term;
  private boolean hasBegun;

  /**
   * The first primary that truncates the log behind content with which it began: first operations
   * of its leader, which are not in this log.
   *
   * @param offset before which the log is truncated
   */
  void begins(List<Accepted> leaders, long offset) {
    if (!hasBegun) {
      hasBegun = true;
      leaders.stream().map(AcceptedLog::beforeTheLog).forEach(this::add);
      for (int i = (int) offset; i < seqNoBefore.size(); i++) {
        seqNoBefore.set(i, (long) accepted.size());
      }
    }
  }

  private static Accepted beforeTheLog(Accepted leaders) {
    Operation theirs = leaders.operation();
    Operation.Origin origin =
        leaders.isBeforeTheLog()
            ? theirs.origin()
            : new Operation.Origin(leaders.offset(), theirs.term(), leaders.digest());
    return new Accepted(
        -1,
        new Operation(
            theirs.term(),
            theirs.seqNo(),
            theirs.version(),
            theirs.mappingVersion(),
            theirs.id(),
            theirs.routing(),
            theirs.source(),
            origin),
        leaders.writer(),
        leaders.digest());
  }

  private void add(Accepted next) {
    accepted.add(next);
    byId.computeIfAbsent(next.operation().id(), _ -> new ArrayList<>()).add(next.operation());
  }

  void landed(StoredRecord stored, String writer) {
    termBefore.add(term);
    seqNoBefore.add((long) accepted.size());
    RecordHeader header = RecordHeader.read(stored.record().header());
    if (header.kind() == RecordHeader.Kind.FENCE) {
      term = Math.max(term, header.term());
    } else if (header.term() == term && header.seqNo() == accepted.size()) {
      Operation operation = OperationCodec.decode(stored.record());
      hasBegun = true;
      add(new Accepted(stored.offset(), operation, writer, RecordDigest.of(stored)));
    }
  }

  /** The log begins again: what is not before the revival's seq_no is lost. */
  void revived(StoredRecord stored) {
    RecordHeader header = RecordHeader.read(stored.record().header());
    if (header.term() > term) {
      term = header.term();
      int nextSeqNo = (int) header.seqNo();
      accepted.subList(nextSeqNo, accepted.size()).clear();
      byId.values().forEach(history -> history.removeIf(o -> o.seqNo() >= nextSeqNo));
      resize(termBefore, stored.offset(), term);
      resize(seqNoBefore, stored.offset(), nextSeqNo);
    }
    termBefore.add(term);
    seqNoBefore.add((long) accepted.size());
  }

  private static void resize(List<Long> byOffset, long size, long filler) {
    if (byOffset.size() > size) {
      byOffset.subList((int) size, byOffset.size()).clear();
    }
    while (byOffset.size() < size) {
      byOffset.add(filler);
    }
  }

  /** The accepted records in the order of their seq_no. */
  List<Accepted> accepted() {
    return accepted;
  }

  @Nullable Accepted at(long seqNo) {
    return seqNo >= 0 && seqNo < accepted.size() ? accepted.get((int) seqNo) : null;
  }

  boolean holds(Operation operation) {
    Accepted there = at(operation.seqNo());
    return there != null && same(there.operation(), operation);
  }

  /** The newest record if it has that offset. */
  @Nullable Accepted acceptedAt(long offset) {
    Accepted last = last();
    return last != null && last.offset() == offset ? last : null;
  }

  @Nullable Accepted last() {
    return accepted.isEmpty() ? null : accepted.getLast();
  }

  long lastSeqNo() {
    return accepted.size() - 1L;
  }

  long termBefore(long offset) {
    return offset < termBefore.size() ? termBefore.get((int) offset) : term;
  }

  long nextSeqNoBefore(long offset) {
    return offset < seqNoBefore.size() ? seqNoBefore.get((int) offset) : accepted.size();
  }

  /** All operations of a document, oldest first. */
  List<Operation> history(String id) {
    return byId.getOrDefault(id, List.of());
  }

  /** The newest operation of a document among those up to {@code seqNo}. */
  @Nullable Operation newest(String id, long seqNo) {
    List<Operation> history = history(id);
    for (int i = history.size() - 1; i >= 0; i--) {
      if (history.get(i).seqNo() <= seqNo) {
        return history.get(i);
      }
    }
    return null;
  }

  Iterable<String> ids() {
    return byId.keySet();
  }

  static boolean same(Operation a, Operation b) {
    return a.term() == b.term()
        && a.seqNo() == b.seqNo()
        && a.version() == b.version()
        && a.id().equals(b.id())
        && Arrays.equals(a.source(), b.source());
  }
}
