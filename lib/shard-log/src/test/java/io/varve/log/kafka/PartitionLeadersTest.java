package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.log.LogException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class PartitionLeadersTest {

  private static final TopicPartition FIRST = new TopicPartition("topic", 0);
  private static final TopicPartition SECOND = new TopicPartition("topic", 1);
  private static final int NONE = OffsetTurns.Leaders.NONE;

  private final List<Set<String>> asked = new ArrayList<>();
  private KafkaFuture<TopicDescription> answer = described(new Node(7, "a", 1), Node.noNode());
  private Duration timeout = Duration.ofMinutes(1);
  private long nowNanos;

  private PartitionLeaders leaders() {
    return new PartitionLeaders(
        topics -> {
          asked.add(topics);
          return Map.of("topic", answer);
        },
        timeout,
        () -> nowNanos);
  }

  private static KafkaFuture<TopicDescription> described(Node... leaders) {
    List<TopicPartitionInfo> partitions = new ArrayList<>();
    for (Node leader : leaders) {
      partitions.add(new TopicPartitionInfo(partitions.size(), leader, List.of(), List.of()));
    }
    return KafkaFuture.completedFuture(new TopicDescription("topic", false, partitions));
  }

  @Test
  void aLeaderIsKnownForSomeTime() throws Exception {
    PartitionLeaders leaders = leaders();
    assertThat(leaders.of(FIRST)).isEqualTo(7);
    answer = described(new Node(8, "b", 1), new Node(9, "c", 1));
    nowNanos += PartitionLeaders.KNOWN_FOR.toNanos() - 1;
    assertThat(leaders.of(FIRST)).isEqualTo(7);
    assertThat(asked).containsExactly(Set.of("topic"));

    nowNanos++;

    assertThat(leaders.of(FIRST)).isEqualTo(8);
    assertThat(leaders.of(SECOND)).isEqualTo(9);
    assertThat(asked).hasSize(2);
  }

  @Test
  void aPartitionWithoutALeaderIsLookedUpEachTime() throws Exception {
    PartitionLeaders leaders = leaders();
    assertThat(leaders.of(SECOND)).isEqualTo(NONE);
    answer = described(new Node(7, "a", 1), new Node(9, "c", 1));

    assertThat(leaders.of(SECOND)).isEqualTo(9);
  }

  @Test
  void aForgottenLeaderIsLookedUp() throws Exception {
    PartitionLeaders leaders = leaders();
    assertThat(leaders.of(FIRST)).isEqualTo(7);
    answer = described(new Node(8, "b", 1));
    leaders.forget(FIRST);

    assertThat(leaders.of(FIRST)).isEqualTo(8);
  }

  /** Several requests for one partition look its leader up while they wait. */
  @Test
  void aLookUpReturnsItsAnswerAlthoughAnotherRequestForgetsTheLeader() throws Exception {
    KafkaFuture<TopicDescription> found = answer;
    List<PartitionLeaders> self = new ArrayList<>();
    PartitionLeaders leaders =
        new PartitionLeaders(
            _ -> Map.of("topic", found),
            timeout,
            () -> {
              self.forEach(one -> one.forget(FIRST));
              return nowNanos;
            });
    self.add(leaders);

    assertThat(leaders.of(FIRST)).isEqualTo(7);
    assertThat(leaders.of(FIRST)).isEqualTo(7);
  }

  @Test
  void theLeaderIsUnknownIfTheLookUpFails() throws Exception {
    KafkaFutureImpl<TopicDescription> failed = new KafkaFutureImpl<>();
    failed.completeExceptionally(new UnknownTopicOrPartitionException("on purpose"));
    answer = failed;

    assertThat(leaders().of(FIRST)).isEqualTo(NONE);
  }

  @Test
  void theLeaderIsUnknownIfNoBrokerAnswers() throws Exception {
    timeout = Duration.ofMillis(1);
    answer = new KafkaFutureImpl<>();

    assertThat(leaders().of(FIRST)).isEqualTo(NONE);
  }

  @Test
  void anInterruptEndsTheLookUpAndIsKept() {
    answer = new KafkaFutureImpl<>();
    PartitionLeaders leaders = leaders();

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> leaders.of(FIRST)).isInstanceOf(LogException.Unavailable.class);

    assertThat(Thread.interrupted()).isTrue();
  }
}
