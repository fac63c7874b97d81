package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * The contract of every message log for topics and failing followers, in addition to that of its
 * partitions. The simulator's log is excluded: a follower that fails there ends the history.
 */
abstract class MessageLogContract extends FencedPartitionContract {

  private static final AtomicInteger TOPICS = new AtomicInteger();

  abstract MessageLog log();

  @Override
  protected final PartitionLog newPartition() throws LogException {
    String topic = "contract-" + TOPICS.incrementAndGet();
    log().createTopic(new TopicSpec(topic, 1, 0, Map.of()));
    return log().open(topic, 0);
  }

  @Test
  void whoFollowsATopicThatIsMadeAgainIsLost() throws Exception {
    PartitionLog log = newPartition();
    append(log, record(0)).get(60, TimeUnit.SECONDS);
    String id = log().topicId(log.topic());
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
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() == 1);
      log().deleteTopic(log.topic());
      log().createTopic(new TopicSpec(log.topic(), 1, 0, Map.of()));
      assertThat(lost.get(60, TimeUnit.SECONDS)).isEqualTo("lost");
      assertThat(log().topicId(log.topic())).isNotEqualTo(id);
    }
  }

  @Test
  void aFollowerThatFailsIsLostAndTheOthersGoOn() throws Exception {
    aFollowerIsLostAfter(() -> {
      throw new IllegalStateException("on purpose");
    });
  }

  @Test
  void aFollowerThatEndsWithAnErrorIsLostAndTheOthersGoOn() throws Exception {
    aFollowerIsLostAfter(() -> {
      throw new StackOverflowError("on purpose");
    });
  }

  private void aFollowerIsLostAfter(Runnable failure) throws Exception {
    PartitionLog log = newPartition();
    PartitionLog other = newPartition();
    CompletableFuture<String> lost = new CompletableFuture<>();
    List<StoredRecord> seen = Collections.synchronizedList(new ArrayList<>());
    try (PartitionLog.Subscription failing =
            log.subscribe(
                0,
                new PartitionLog.BatchListener() {
                  @Override
                  public void records(List<StoredRecord> batch) {
                    failure.run();
                  }

                  @Override
                  public void lost(LogException.OutOfRange reason) {
                    lost.complete("lost");
                  }
                });
        PartitionLog.Subscription following = other.subscribe(0, collect(seen))) {
      append(log, record(0)).get(60, TimeUnit.SECONDS);
      assertThat(lost.get(60, TimeUnit.SECONDS)).isEqualTo("lost");
      append(other, record(0)).get(60, TimeUnit.SECONDS);
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() == 1);
    }
  }
}
