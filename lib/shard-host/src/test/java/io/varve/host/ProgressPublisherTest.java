package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.Topics;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(180)
class ProgressPublisherTest {

  private static final String COPY = "c1";
  private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong shown = new AtomicLong();
  private Runnable look = () -> {};
  private final List<Long> delays = new CopyOnWriteArrayList<>();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
          delays.add(unit.toNanos(delay));
          return super.schedule(task, delay, unit);
        }

        // The test looks for changes itself.
        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(
            Runnable task, long first, long pause, TimeUnit unit) {
          look = task;
          return super.scheduleWithFixedDelay(task, 1, 1, TimeUnit.DAYS);
        }
      };
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final InMemoryMessageLog log = new InMemoryMessageLog(threads, System::currentTimeMillis);
  private final Topics topics = new Topics("t", 1);
  private final PartitionLog partition =
      log.open(topics.progress(), Topics.partitionOf(COPY, Topics.PROGRESS_PARTITIONS));
  private final AppendFaults faults = new AppendFaults(log, log, Runnable::run);
  private final ProgressPublisher publisher =
      new ProgressPublisher(faults, topics, timer, nanos::get);

  @AfterEach
  void close() {
    publisher.close();
    timer.shutdownNow();
    log.close();
    threads.shutdownNow();
  }

  private void awaitRecords(long count) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(partition.endOffset()).isGreaterThanOrEqualTo(count));
  }

  private CopyProgress progress() {
    long seqNo = shown.get();
    return new CopyProgress(
        COPY,
        new ShardId("u1", 0),
        "n1",
        false,
        "STARTED",
        1,
        1,
        seqNo + 1,
        seqNo,
        seqNo,
        0,
        0,
        0,
        0,
        0,
        0,
        TimeUnit.NANOSECONDS.toMillis(nanos.get()));
  }

  private void change() {
    shown.incrementAndGet();
    publisher.changed(COPY);
  }

  @Test
  void aChangeIsPublishedAtOnce() {
    publisher.add(COPY, this::progress);

    change();

    awaitRecords(1);
    assertThat(delays).containsExactly(0L);
  }

  @Test
  void whatChangesSoonAfterIsPublishedALittleLater() {
    publisher.add(COPY, this::progress);
    change();
    awaitRecords(1);

    nanos.addAndGet(GAP_NANOS / 5);
    change();

    awaitRecords(2);
    nanos.addAndGet(GAP_NANOS + 1);
    change();

    awaitRecords(3);
    assertThat(delays).containsExactly(0L, GAP_NANOS * 4 / 5, 0L);
  }

  @Test
  void aCopyWithoutAChangeReportsAfterHalfAMinute() throws LogException {
    publisher.add(COPY, this::progress);
    look.run();
    awaitRecords(1);

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(29));
    look.run();
    assertThat(partition.endOffset()).isOne();

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    look.run();
    awaitRecords(2);
  }

  @Test
  void aChangeThatNobodyAnnouncedIsFound() {
    publisher.add(COPY, this::progress);
    look.run();
    awaitRecords(1);

    shown.incrementAndGet();
    look.run();

    awaitRecords(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"LOST", "REFUSED"})
  void aReportThatTheLogMayLackIsRepeated(AppendFaults.Fate fate) {
    publisher.add(COPY, this::progress);
    faults.ofProgress = fate;
    look.run();
    faults.ofProgress = AppendFaults.Fate.ACCEPTED;

    look.run();

    awaitRecords(1);
  }
}
