package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.Topics;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.log.InMemoryMessageLog;
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

@Timeout(180)
class ProgressPublisherTest {

  private static final String COPY = "c1";
  private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final AtomicLong nanos = new AtomicLong();
  private final List<Long> delays = new CopyOnWriteArrayList<>();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
          delays.add(unit.toNanos(delay));
          return super.schedule(task, delay, unit);
        }

        // The periodic reports are not scheduled here: only changes are reported.
        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(
            Runnable task, long first, long pause, TimeUnit unit) {
          return super.scheduleWithFixedDelay(task, 1, 1, TimeUnit.DAYS);
        }
      };
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final InMemoryMessageLog log = new InMemoryMessageLog(threads, System::currentTimeMillis);
  private final Topics topics = new Topics("t", 1);
  private final PartitionLog partition =
      log.open(topics.progress(), Topics.partitionOf(COPY, Topics.PROGRESS_PARTITIONS));
  private final ProgressPublisher publisher = new ProgressPublisher(log, topics, timer, nanos::get);

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

  private static CopyProgress progress() {
    return new CopyProgress(
        COPY, new ShardId("u1", 0), "n1", false, "STARTED", 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void aChangeIsSaidAtOnce() {
    publisher.add(COPY, ProgressPublisherTest::progress);

    publisher.changed(COPY);

    awaitRecords(1);
    assertThat(delays).containsExactly(0L);
  }

  @Test
  void whatChangesRightAfterIsSaidALittleLater() {
    publisher.add(COPY, ProgressPublisherTest::progress);
    publisher.changed(COPY);
    awaitRecords(1);

    nanos.addAndGet(GAP_NANOS / 5);
    publisher.changed(COPY);

    awaitRecords(2);
    nanos.addAndGet(GAP_NANOS + 1);
    publisher.changed(COPY);

    awaitRecords(3);
    assertThat(delays).containsExactly(0L, GAP_NANOS * 4 / 5, 0L);
  }
}
