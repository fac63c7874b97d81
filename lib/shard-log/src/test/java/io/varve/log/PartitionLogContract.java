package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * The contract of a partition, for every message log: Kafka, the in-memory twin and the simulator's
 * log.
 */
public abstract class PartitionLogContract {

  /** Returns an empty partition. */
  protected abstract PartitionLog newPartition() throws Exception;

  /** Makes the partition lose the records from {@code endOffset} on. */
  protected abstract void cutEnd(PartitionLog log, long endOffset) throws Exception;

  static RawRecord record(long seqNo) {
    byte[] text = Long.toString(seqNo).getBytes(StandardCharsets.UTF_8);
    return RecordHeader.data(1, seqNo, text, text);
  }

  static CompletableFuture<Long> append(PartitionLog log, RawRecord record)
      throws LogException.Full {
    CompletableFuture<Long> offset = new CompletableFuture<>();
    log.append(
        record,
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long at, long timestampMillis) {
            offset.complete(at);
          }

          @Override
          public void unknown(String reason) {
            offset.completeExceptionally(new IllegalStateException(reason));
          }
        });
    return offset;
  }

  static List<Long> seqNos(List<StoredRecord> records) {
    return records.stream().map(r -> RecordHeader.read(r.record().header()).seqNo()).toList();
  }

  @Test
  void appendsStandOnConsecutiveOffsetsInTheOrderOfTheCalls() throws Exception {
    PartitionLog log = newPartition();
    List<CompletableFuture<Long>> offsets = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      offsets.add(append(log, record(i)));
    }
    for (int i = 0; i < 500; i++) {
      assertThat(offsets.get(i).get(60, TimeUnit.SECONDS)).isEqualTo(i);
    }
    List<StoredRecord> read = new ArrayList<>();
    log.read(100, 500, read::add);
    assertThat(seqNos(read)).hasSize(400).startsWith(100L).endsWith(499L).isSorted();
    assertThat(log.startOffset()).isZero();
    assertThat(log.endOffset()).isEqualTo(500);
  }

  @Test
  void keysValuesAndHeadersComeBackAsTheyWere() throws Exception {
    PartitionLog log = newPartition();
    append(log, RawRecord.keyed(new byte[] {1, 2}, null)).get(60, TimeUnit.SECONDS);
    append(log, RecordHeader.fence(7, "n1")).get(60, TimeUnit.SECONDS);
    List<RawRecord> read = new ArrayList<>();
    log.read(0, 2, r -> read.add(r.record()));
    assertThat(read.get(0).key()).containsExactly(1, 2);
    assertThat(read.get(0).value()).isNull();
    assertThat(read.get(0).header()).isEmpty();
    assertThat(RecordHeader.fenceNodeId(read.get(1).header())).isEqualTo("n1");
  }

  @Test
  void followersSeeWhatWasThereAndWhatComes() throws Exception {
    PartitionLog log = newPartition();
    append(log, record(0)).get(60, TimeUnit.SECONDS);
    append(log, record(1)).get(60, TimeUnit.SECONDS);
    List<StoredRecord> seen = Collections.synchronizedList(new ArrayList<>());
    try (PartitionLog.Subscription first = log.subscribe(1, collect(seen))) {
      append(log, record(2)).get(60, TimeUnit.SECONDS);
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() == 2);
      List<StoredRecord> other = Collections.synchronizedList(new ArrayList<>());
      try (PartitionLog.Subscription second = log.subscribe(0, collect(other))) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> other.size() == 3);
      }
    }
    assertThat(seqNos(seen)).containsExactly(1L, 2L);
  }

  static PartitionLog.BatchListener collect(List<StoredRecord> into) {
    return new PartitionLog.BatchListener() {
      @Override
      public void records(List<StoredRecord> batch) {
        into.addAll(batch);
      }

      @Override
      public void lost(LogException.OutOfRange reason) {
        throw new AssertionError(reason);
      }
    };
  }

  @Test
  void followersLearnTheEndOfTheLogWithItsRecords() throws Exception {
    PartitionLog log = newPartition();
    List<StoredRecord> seen = Collections.synchronizedList(new ArrayList<>());
    AtomicLong end = new AtomicLong(-1);
    AtomicLong shortestNanos = new AtomicLong(Long.MAX_VALUE);
    PartitionLog.BatchListener listener =
        new PartitionLog.BatchListener() {
          @Override
          public void records(List<StoredRecord> batch) {
            seen.addAll(batch);
          }

          @Override
          public void logEnd(long offset, long ageNanos) {
            end.set(offset);
            shortestNanos.accumulateAndGet(ageNanos, Math::min);
          }

          @Override
          public void lost(LogException.OutOfRange reason) {
            throw new AssertionError(reason);
          }
        };
    try (PartitionLog.Subscription _ = log.subscribe(0, listener)) {
      for (int count = 1; count <= 3; count++) {
        append(log, record(count)).get(60, TimeUnit.SECONDS);
        int expected = count;
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() == expected);
      }
    }
    assertThat(end).hasValue(3);
    assertThat(shortestNanos.get()).isNotNegative();
  }

  @Test
  void whatIsTruncatedIsGoneAndItsFollowersAreTold() throws Exception {
    PartitionLog log = newPartition();
    for (int i = 0; i < 10; i++) {
      append(log, record(i)).get(60, TimeUnit.SECONDS);
    }
    log.truncateBefore(6);
    assertThat(log.startOffset()).isEqualTo(6);
    assertThatThrownBy(() -> log.read(3, 10, r -> {})).isInstanceOf(LogException.OutOfRange.class);
    CompletableFuture<String> lost = new CompletableFuture<>();
    try (PartitionLog.Subscription late = log.subscribe(2, telling(lost))) {
      assertThat(lost.get(60, TimeUnit.SECONDS)).isEqualTo("lost");
    }
  }

  /**
   * Returns a listener that completes {@code told} with the follower's first notification, either
   * records or the end.
   */
  private static PartitionLog.BatchListener telling(CompletableFuture<String> told) {
    return new PartitionLog.BatchListener() {
      @Override
      public void records(List<StoredRecord> batch) {
        told.complete("records " + seqNos(batch));
      }

      @Override
      public void lost(LogException.OutOfRange reason) {
        told.complete("lost");
      }
    };
  }

  @Test
  void whoFollowsFromBehindTheEndIsTold() throws Exception {
    PartitionLog log = newPartition();
    append(log, record(0)).get(60, TimeUnit.SECONDS);
    CompletableFuture<String> told = new CompletableFuture<>();
    try (PartitionLog.Subscription ahead = log.subscribe(5, telling(told))) {
      assertThat(told.get(60, TimeUnit.SECONDS)).isEqualTo("lost");
    }
  }

  @Test
  void aClosedSubscriptionHearsNothingMore() throws Exception {
    PartitionLog log = newPartition();
    List<StoredRecord> closed = Collections.synchronizedList(new ArrayList<>());
    List<StoredRecord> open = Collections.synchronizedList(new ArrayList<>());
    try (PartitionLog.Subscription following = log.subscribe(0, collect(open))) {
      log.subscribe(0, collect(closed)).close();
      append(log, record(0)).get(60, TimeUnit.SECONDS);
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> open.size() == 1);
    }
    assertThat(closed).isEmpty();
  }

  @Test
  void aRecordOverTheLimitIsRefusedBeforeItIsSent() throws Exception {
    PartitionLog log = newPartition();
    RawRecord large = RawRecord.keyed(new byte[1], new byte[log.maxRecordBytes()]);
    assertThatThrownBy(() -> append(log, large)).isInstanceOf(IllegalArgumentException.class);
    RawRecord largest = RawRecord.keyed(new byte[1], new byte[log.maxRecordBytes() - 1]);
    assertThat(append(log, largest).get(60, TimeUnit.SECONDS)).isZero();
  }

  @Test
  void aRangeThatIsNotInThePartitionIsRefused() throws Exception {
    PartitionLog log = newPartition();
    appendAll(log, 6);
    log.truncateBefore(2);

    refuses(log, 2, 7);
    refuses(log, 6, 7);
    refuses(log, 7, 9);
    refuses(log, 1, 6);
    refuses(log, 4, 3);
  }

  @Test
  void anEmptyRangeIsReadInsideThePartitionAndRefusedOutside() throws Exception {
    PartitionLog log = newPartition();
    appendAll(log, 6);
    log.truncateBefore(2);

    List<StoredRecord> read = new ArrayList<>();
    log.read(2, 2, read::add);
    log.read(6, 6, read::add);
    assertThat(read).isEmpty();
    refuses(log, 1, 1);
    refuses(log, 7, 7);
  }

  @Test
  void aPartitionThatIsTruncatedWholeBeginsWhereItEnds() throws Exception {
    PartitionLog log = newPartition();
    appendAll(log, 3);
    log.truncateBefore(3);

    assertThat(log.startOffset()).isEqualTo(3);
    assertThat(log.endOffset()).isEqualTo(3);
    assertThatThrownBy(() -> log.truncateBefore(4)).isInstanceOf(LogException.OutOfRange.class);
    assertThat(append(log, record(3)).get(60, TimeUnit.SECONDS)).isEqualTo(3);
    List<StoredRecord> read = new ArrayList<>();
    log.read(3, 4, read::add);
    assertThat(seqNos(read)).containsExactly(3L);
  }

  @Test
  void aPartitionThatLostItsTailEndsThereAndGoesOnThere() throws Exception {
    PartitionLog log = newPartition();
    appendAll(log, 6);
    LogPosition applied = new LogPosition(6, 6, 1);
    assertThat(LogContinuity.check(log, applied)).isEqualTo(new LogContinuity.Outcome.Continues());

    cutEnd(log, 4);

    assertThat(log.endOffset()).isEqualTo(4);
    refuses(log, 4, 6);
    refuses(log, 6, 6);
    assertThat(LogContinuity.check(log, applied)).isInstanceOf(LogContinuity.Outcome.Lost.class);
    assertThat(LogContinuity.check(log, new LogPosition(4, 4, 1)))
        .isEqualTo(new LogContinuity.Outcome.Continues());
    for (int i = 0; i < 3; i++) {
      assertThat(append(log, record(10 + i)).get(60, TimeUnit.SECONDS)).isEqualTo(4 + i);
    }
    assertThat(LogContinuity.check(log, applied)).isInstanceOf(LogContinuity.Outcome.Lost.class);
  }

  @Test
  void aFollowerAheadOfAPartitionThatLostItsTailIsTold() throws Exception {
    PartitionLog log = newPartition();
    appendAll(log, 6);
    List<StoredRecord> seen = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<String> lost = new CompletableFuture<>();
    try (PartitionLog.Subscription following =
        log.subscribe(
            0,
            new PartitionLog.BatchListener() {
              @Override
              public void records(List<StoredRecord> batch) {
                seen.addAll(batch);
              }

              @Override
              public void lost(LogException.OutOfRange reason) {
                lost.complete("lost");
              }
            })) {
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() == 6);
      cutEnd(log, 4);
      assertThat(lost.get(60, TimeUnit.SECONDS)).isEqualTo("lost");
    }
  }

  private static void appendAll(PartitionLog log, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      append(log, record(i)).get(60, TimeUnit.SECONDS);
    }
  }

  private static void refuses(PartitionLog log, long from, long to) {
    assertThatThrownBy(() -> log.read(from, to, r -> {}))
        .as("[%d, %d)", from, to)
        .isInstanceOf(LogException.OutOfRange.class);
  }
}
