package io.varve.host.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.host.reading.LogEnd.Step;
import io.varve.log.DelegatingLog;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogEndTest {

  private final AtomicLong clockMillis = new AtomicLong(1);
  private final InMemoryMessageLog logs = new InMemoryMessageLog(Runnable::run, clockMillis::get);
  private final PartitionLog log = logs.open("ops", 0);
  private final AtomicReference<LogPosition> at = new AtomicReference<>(new LogPosition(0, 0, 0));
  private final OffsetWatcher offsets = new OffsetWatcher(0);
  private final List<String> lost = new ArrayList<>();
  private final LogEnd end = new LogEnd(log, at::get, offsets, Runnable::run, this::lost);

  private void lost(LogException.Lost reason) {
    lost.add(reason.getMessage());
  }

  private void append(RawRecord record) throws LogException.Full {
    log.append(
        record,
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            // No test waits for this.
          }

          @Override
          public void unknown(String reason) {
            throw new AssertionError(reason);
          }
        });
  }

  private void operation(long term, long seqNo) throws LogException.Full {
    append(RecordHeader.data(term, seqNo, new byte[] {1}, new byte[] {1}));
  }

  @ParameterizedTest
  @CsvSource({
    "10, 10, Known",
    "10, 9, Beyond",
    "10, 11, Judge",
    "10, 266, Judge",
    "10, 267, Await"
  })
  void isKnownJudgedOrAwaited(long nextOffset, long endOffset, String step) {
    assertThat(LogEnd.step(new LogPosition(nextOffset, 7, 3), endOffset).getClass().getSimpleName())
        .isEqualTo(step);
  }

  @Test
  void aCopyAtTheEndKnowsItByItself() {
    assertThat(LogEnd.step(new LogPosition(10, 7, 3), 10)).isEqualTo(new Step.Known(6));
    assertThat(LogEnd.step(null, 0)).isEqualTo(new Step.Await(0));
  }

  @Test
  void countsOnlyWhatTheFenceAccepts() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    operation(1, 0);
    operation(1, 1);
    at.set(new LogPosition(2, 1, 1));
    append(RecordHeader.fence(2, "n2"));
    operation(1, 2);
    operation(2, 2);
    operation(1, 3);
    append(RecordHeader.fence(2, "n3"));

    assertThat(end.newest().join()).isEqualTo(2);
  }

  @Test
  void fencesAndWhatAZombieLeftHoldUpNobody() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    operation(1, 0);
    append(RecordHeader.fence(2, "n2"));
    operation(1, 1);
    at.set(new LogPosition(2, 1, 1));

    assertThat(end.newest().join()).isZero();
  }

  @Test
  void tellsACopyThatTheLogEndsBeforeWhatItHasApplied() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    operation(1, 0);
    operation(1, 1);
    at.set(new LogPosition(3, 2, 1));
    logs.cutEnd("ops", 0, 2);

    assertThat(end.newest()).isCompletedExceptionally();
    assertThat(lost).singleElement().asString().contains("ends at offset 2", "seq_no 1", "ops");
  }

  @Test
  void tellsACopyThatOtherRecordsWereWrittenInPlaceOfThoseItHasApplied() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    operation(1, 0);
    operation(1, 1);
    at.set(new LogPosition(3, 2, 1));
    logs.cutEnd("ops", 0, 2);
    append(RecordHeader.fence(2, "n2"));
    operation(2, 1);

    assertThat(end.newest()).isCompletedExceptionally();
    assertThat(lost).singleElement().asString().contains("the fence of term 2");
  }

  @Test
  void knowsTheSameRecordOfAnotherHistoryByItsTimestamp() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    operation(1, 0);
    at.set(new LogPosition(2, 1, 1, 1));
    operation(1, 1);
    assertThat(end.newest().join()).isEqualTo(1);

    logs.cutEnd("ops", 0, 1);
    clockMillis.set(2);
    operation(1, 0);
    operation(1, 1);

    assertThat(end.newest()).isCompletedExceptionally();
    assertThat(lost).singleElement().asString().contains("with timestamp 2");
  }

  @Test
  void goesOnWhereRetentionHasReachedTheCopy() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    operation(1, 0);
    at.set(new LogPosition(2, 1, 1));
    operation(1, 1);
    log.truncateBefore(2);

    assertThat(end.newest().join()).isEqualTo(1);
    assertThat(lost).isEmpty();
  }

  @Test
  void isNotKnownBehindARecordThatCanNotBeRead() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    at.set(new LogPosition(1, 0, 1));
    append(new RawRecord(null, null, new byte[] {(byte) 0xF0}));

    assertThatThrownBy(() -> end.newest().join()).hasMessageContaining("offset 1 of topic ops");
    assertThat(lost).isEmpty();
  }

  @Test
  void waitsForACopyThatIsFarBehind() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    for (int i = 0; i < 300; i++) {
      operation(1, i);
    }
    CompletableFuture<Long> newest = end.newest();
    assertThat(newest).isNotDone();

    at.set(new LogPosition(301, 300, 1));
    offsets.advanceTo(301);

    assertThat(newest.join()).isEqualTo(299);
  }

  @Test
  void isNotKnownWhenTheCopyIsClosedOrTheNodeCloses() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    at.set(null);
    CompletableFuture<Long> newest = end.newest();
    offsets.close();
    assertThatThrownBy(newest::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(ApiException.class);

    LogEnd closing =
        new LogEnd(
            log,
            at::get,
            offsets,
            task -> {
              throw new RejectedExecutionException();
            },
            this::lost);
    assertThat(closing.newest()).isCompletedExceptionally();
  }

  @Test
  void whoAsksWhileALookIsMadeSharesTheNextOne() throws Exception {
    Deque<Runnable> tasks = new ArrayDeque<>();
    LogEnd shared = new LogEnd(log, at::get, offsets, tasks::add, this::lost);
    CompletableFuture<Long> first = shared.newest();
    List<CompletableFuture<Long>> others =
        IntStream.range(0, 500).mapToObj(_ -> shared.newest()).toList();
    append(RecordHeader.fence(1, "n1"));
    operation(1, 0);

    assertThat(tasks).hasSize(1);
    tasks.removeFirst().run();
    assertThat(first).isDone();
    assertThat(tasks).hasSize(1);
    operation(1, 1);
    tasks.removeFirst().run();

    assertThat(others).allSatisfy(other -> assertThat(other).isCompletedWithValue(1L));
    assertThat(tasks).isEmpty();
    assertThat(shared.newest()).isNotDone();
  }

  /** A log whose next read of the end fails with an error, as of a stack that is too deep. */
  @Test
  void anErrorEndsTheWaitOfThoseWhoAskedAndNoOther() throws Exception {
    List<Error> errors = new ArrayList<>(List.of(new StackOverflowError("on purpose")));
    PartitionLog failing =
        new DelegatingLog(log) {
          @Override
          public long endOffset() throws LogException.Unavailable {
            if (!errors.isEmpty()) {
              throw errors.removeFirst();
            }
            return super.endOffset();
          }
        };
    Deque<Runnable> tasks = new ArrayDeque<>();
    LogEnd shared = new LogEnd(failing, at::get, offsets, tasks::add, this::lost);
    CompletableFuture<Long> first = shared.newest();
    CompletableFuture<Long> second = shared.newest();

    assertThatThrownBy(() -> tasks.removeFirst().run()).isInstanceOf(StackOverflowError.class);

    assertThat(first.exceptionNow())
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("on purpose");
    append(RecordHeader.fence(1, "n1"));
    operation(1, 0);
    at.set(new LogPosition(2, 1, 1));
    tasks.removeFirst().run();
    assertThat(second).isCompletedWithValue(0L);
  }

  @Test
  void allThatShareAReadLearnWhyItFailed() {
    Deque<Runnable> tasks = new ArrayDeque<>();
    LogEnd shared = new LogEnd(log, at::get, offsets, tasks::add, this::lost);
    at.set(new LogPosition(3, 2, 1));
    List<CompletableFuture<Long>> asked =
        IntStream.range(0, 3).mapToObj(_ -> shared.newest()).toList();

    tasks.removeFirst().run();
    tasks.removeFirst().run();

    assertThat(asked)
        .allSatisfy(newest -> assertThat(newest.exceptionNow()).isInstanceOf(ApiException.class));
  }

  /** The copies' executor is gone while a read is made. */
  @Test
  void theCloseOfTheNodeEndsTheWaitForTheNextRead() {
    Deque<Runnable> tasks = new ArrayDeque<>();
    LogEnd shared =
        new LogEnd(
            log,
            at::get,
            offsets,
            task -> {
              if (!tasks.isEmpty()) {
                throw new RejectedExecutionException();
              }
              tasks.add(task);
            },
            this::lost);
    var _ = shared.newest();
    CompletableFuture<Long> next = shared.newest();

    tasks.getFirst().run();

    assertThat(next.exceptionNow())
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("closing");
  }

  @Test
  void theNextReadDoesNotWaitForACopyThatIsFarBehind() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    at.set(null);
    CompletableFuture<Long> waiting = end.newest();
    assertThat(waiting).isNotDone();

    at.set(new LogPosition(1, 0, 1));

    assertThat(end.newest()).isCompletedWithValue(-1L);
    assertThat(waiting).isNotDone();
    offsets.advanceTo(1);
    assertThat(waiting).isCompletedWithValue(-1L);
  }
}
