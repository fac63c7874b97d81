package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.log.LogException;
import io.varve.log.TopicSpec;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

/** The wait for the leaders of new topics, by a fake clock; the rest is tested with a broker. */
class KafkaTopicsTest {

  private static final TopicSpec TOPIC = new TopicSpec("topic", 1, 1, Map.of());
  private static final Node BROKER = new Node(1, "127.0.0.1", 9092);

  private long nowNanos;
  private int unknownFor;
  private int leaderlessFor;
  private final KafkaTopics topics =
      new KafkaTopics(
          KafkaLogConfig.of("127.0.0.1:9092", "test"),
          admin(),
          () -> nowNanos,
          nanos -> nowNanos += nanos);

  private Admin admin() {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "createTopics" -> new Created();
                  case "describeTopics" -> {
                    assertThat((Collection<?>) arguments[0]).hasSize(1);
                    yield new Described(description());
                  }
                  default -> throw new AssertionError(method);
                });
  }

  private static final class Created extends CreateTopicsResult {
    Created() {
      super(Map.of("topic", KafkaFuture.completedFuture(null)));
    }
  }

  private static final class Described extends DescribeTopicsResult {
    Described(KafkaFuture<TopicDescription> description) {
      super(null, Map.of("topic", description));
    }
  }

  private KafkaFuture<TopicDescription> description() {
    KafkaFutureImpl<TopicDescription> future = new KafkaFutureImpl<>();
    if (unknownFor-- > 0) {
      future.completeExceptionally(new UnknownTopicOrPartitionException());
      return future;
    }
    Node leader = leaderlessFor-- > 0 ? Node.noNode() : BROKER;
    TopicPartitionInfo partition =
        new TopicPartitionInfo(0, leader, List.of(BROKER), List.of(BROKER));
    future.complete(
        new TopicDescription("topic", false, List.of(partition), Set.of(), Uuid.randomUuid()));
    return future;
  }

  @Test
  void aTopicWithALeaderIsReadyAtOnce() throws Exception {
    topics.create(List.of(TOPIC));

    assertThat(nowNanos).isZero();
  }

  @Test
  void asksAgainUntilTheTopicIsKnownAndHasALeader() throws Exception {
    unknownFor = 2;
    leaderlessFor = 2;
    topics.create(List.of(TOPIC));

    assertThat(Duration.ofNanos(nowNanos)).isEqualTo(Duration.ofMillis(1 + 2 + 4 + 8));
  }

  @Test
  void failsWhenThereIsNoLeaderWithinTheTimeout() {
    leaderlessFor = Integer.MAX_VALUE;
    int timeoutMillis = KafkaLogConfig.of("127.0.0.1:9092", "test").readTimeoutMillis();

    assertThatThrownBy(() -> topics.create(List.of(TOPIC)))
        .isInstanceOf(LogException.Unavailable.class)
        .hasMessage("topics [topic] have no leaders after " + timeoutMillis + " ms");
    assertThat(Duration.ofNanos(nowNanos))
        .isBetween(Duration.ofMillis(timeoutMillis), Duration.ofMillis(timeoutMillis + 20));
  }
}
