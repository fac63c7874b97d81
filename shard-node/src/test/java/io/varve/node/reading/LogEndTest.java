package io.varve.node.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.node.reading.LogEnd.Position;
import io.varve.node.reading.LogEnd.Step;
import io.varve.rpc.ApiException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogEndTest {

  private final PartitionLog log = new InMemoryMessageLog(Runnable::run, () -> 0).open("ops", 0);
  private final AtomicReference<Position> at = new AtomicReference<>(new Position(0, 0, 0));
  private final OffsetWatcher offsets = new OffsetWatcher(0);
  private final LogEnd end = new LogEnd(log, at::get, offsets, Runnable::run);

  private void append(RawRecord record) throws LogException.Full {
    log.append(
        record,
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            // Nobody waits for it.
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
  @CsvSource({"10, 10, Known", "10, 9, Known", "10, 11, Judge", "10, 266, Judge", "10, 267, Await"})
  void isKnownJudgedOrAwaited(long nextOffset, long endOffset, String step) {
    assertThat(LogEnd.step(new Position(nextOffset, 7, 3), endOffset).getClass().getSimpleName())
        .isEqualTo(step);
  }

  @Test
  void aCopyAtTheEndKnowsItByItself() {
    assertThat(LogEnd.step(new Position(10, 7, 3), 10)).isEqualTo(new Step.Known(6));
    assertThat(LogEnd.step(null, 0)).isEqualTo(new Step.Await(0));
  }

  @Test
  void countsOnlyWhatTheFenceAccepts() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    operation(1, 0);
    operation(1, 1);
    at.set(new Position(2, 1, 1));
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
    at.set(new Position(2, 1, 1));

    assertThat(end.newest().join()).isZero();
  }

  @Test
  void waitsForACopyThatIsFarBehind() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    for (int i = 0; i < 300; i++) {
      operation(1, i);
    }
    CompletableFuture<Long> newest = end.newest();
    assertThat(newest).isNotDone();

    at.set(new Position(301, 300, 1));
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
            });
    assertThat(closing.newest()).isCompletedExceptionally();
  }

  @Test
  void whoAsksWhileALookIsMadeSharesTheNextOne() throws Exception {
    Deque<Runnable> tasks = new ArrayDeque<>();
    LogEnd shared = new LogEnd(log, at::get, offsets, tasks::add);
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
}
