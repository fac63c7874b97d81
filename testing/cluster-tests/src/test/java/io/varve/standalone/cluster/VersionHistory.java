package io.varve.standalone.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the versions of one document that clients of a strong index were told. Pure.
 *
 * <pre>
 *   a read that begins after a client was told of a version
 *     returns that one or a later one        else it is UN-READ
 *     or no document, if a delete that is
 *     not known to have failed began before
 *     the read returned                      else the document is LOST
 * </pre>
 *
 * A client learns a version from a read that returns it, or from the response to a write. So the
 * check also finds reads that are not monotonic, and documents that are there again after a delete.
 */
final class VersionHistory {

  /** What a client was told. */
  sealed interface Event {

    long calledNanos();

    long returnedNanos();

    /** A read; {@code seqNo} is null if there was no document. */
    record Read(@Nullable Long seqNo, long calledNanos, long returnedNanos) implements Event {}

    /** A write that was acked with that seq_no. */
    record Written(long seqNo, boolean delete, long calledNanos, long returnedNanos)
        implements Event {}

    /** A delete that may have been executed, or may be later. */
    record UnknownDelete(long calledNanos, long returnedNanos) implements Event {}
  }

  private VersionHistory() {}

  /** The reads that break a promise, with the reason. */
  static List<String> violations(List<Event> history) {
    List<Event> byEnd =
        history.stream().sorted(Comparator.comparingLong(Event::returnedNanos)).toList();
    List<Event.Read> reads =
        history.stream()
            .filter(Event.Read.class::isInstance)
            .map(Event.Read.class::cast)
            .sorted(Comparator.comparingLong(Event::calledNanos))
            .toList();
    List<String> violations = new ArrayList<>();
    Event told = null;
    long toldSeqNo = -1;
    int next = 0;
    for (Event.Read read : reads) {
      while (next < byEnd.size() && byEnd.get(next).returnedNanos() < read.calledNanos()) {
        Event ended = byEnd.get(next++);
        if (seqNo(ended) > toldSeqNo) {
          toldSeqNo = seqNo(ended);
          told = ended;
        }
      }
      if (read.seqNo() == null) {
        if (told != null && !isDeleted(told, read, history)) {
          violations.add("LOST: " + read + " after " + told);
        }
      } else if (read.seqNo() < toldSeqNo) {
        violations.add("UN-READ: " + read + " after " + told);
      }
    }
    return violations;
  }

  private static long seqNo(Event event) {
    return switch (event) {
      case Event.Read(Long seqNo, _, _) -> seqNo == null ? -1 : seqNo;
      case Event.Written(long seqNo, _, _, _) -> seqNo;
      case Event.UnknownDelete _ -> -1;
    };
  }

  /** Whether a delete of what was told, or of a later version, may precede the read. */
  private static boolean isDeleted(Event told, Event.Read read, List<Event> history) {
    return history.stream()
        .filter(event -> event.calledNanos() < read.returnedNanos())
        .anyMatch(event ->
            switch (event) {
              case Event.Written written -> written.delete() && written.seqNo() >= seqNo(told);
              case Event.UnknownDelete _ -> true;
              case Event.Read _ -> false;
            });
  }
}
