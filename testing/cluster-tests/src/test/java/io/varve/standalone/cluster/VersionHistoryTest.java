package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.cluster.VersionHistory.Event;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers at the end of events are the times of calls and responses. */
class VersionHistoryTest {

  private static Event read(long seqNo, long called, long returned) {
    return new Event.Read(seqNo, called, returned);
  }

  private static Event absent(long called, long returned) {
    return new Event.Read(null, called, returned);
  }

  private static Event written(long seqNo, long called, long returned) {
    return new Event.Written(seqNo, false, called, returned);
  }

  private static Event deleted(long seqNo, long called, long returned) {
    return new Event.Written(seqNo, true, called, returned);
  }

  private static void assertFine(Event... history) {
    assertThat(VersionHistory.violations(List.of(history))).isEmpty();
  }

  private static void assertViolated(String how, Event... history) {
    assertThat(VersionHistory.violations(List.of(history)))
        .singleElement()
        .asString()
        .startsWith(how);
  }

  @Test
  void laterReadsReturnTheSameOrALaterVersion() {
    assertFine(absent(1, 2), written(4, 3, 5), read(4, 6, 7), read(9, 8, 9), read(9, 10, 11));
    assertViolated("UN-READ", written(4, 1, 2), read(3, 3, 4));
    assertViolated("UN-READ", read(4, 1, 2), read(3, 3, 4));
  }

  @Test
  void concurrentReadsMayReturnEitherVersion() {
    assertFine(read(4, 1, 10), read(3, 2, 3));
    assertFine(written(4, 1, 10), read(3, 2, 9), read(4, 3, 4));
  }

  @Test
  void aDocumentIsGoneOnlyAfterADelete() {
    assertViolated("LOST", written(4, 1, 2), absent(3, 4));
    assertViolated("LOST", read(4, 1, 2), absent(3, 4), deleted(5, 5, 6));
    assertViolated("LOST", deleted(3, 1, 2), written(4, 3, 4), absent(5, 6));
    assertFine(written(4, 1, 2), deleted(5, 3, 6), absent(4, 5));
    assertFine(written(4, 1, 2), new Event.UnknownDelete(3, 4), absent(5, 6));
  }

  @Test
  void aDeletedDocumentDoesNotComeBack() {
    assertViolated("UN-READ", written(4, 1, 2), deleted(5, 3, 4), read(4, 5, 6));
    assertFine(written(4, 1, 2), deleted(5, 3, 4), read(6, 5, 6));
  }
}
