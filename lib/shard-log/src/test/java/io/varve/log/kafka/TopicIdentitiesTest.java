package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class TopicIdentitiesTest {

  private static final Uuid FIRST = new Uuid(0, 10);
  private static final Uuid SECOND = new Uuid(0, 11);
  private static final Set<String> A = Set.of("a");

  private final Map<String, Uuid> broker = new HashMap<>();
  private final Set<String> silent = new HashSet<>();
  private final List<Set<String>> asked = new ArrayList<>();
  private final Map<String, KafkaFutureImpl<TopicDescription>> open = new HashMap<>();
  private long nowNanos;
  private final TopicIdentities identities = new TopicIdentities(this::describe, () -> nowNanos);

  private Map<String, KafkaFuture<TopicDescription>> describe(Set<String> topics) {
    asked.add(new TreeSet<>(topics));
    Map<String, KafkaFuture<TopicDescription>> answers = new HashMap<>();
    for (String topic : topics) {
      KafkaFutureImpl<TopicDescription> answer = new KafkaFutureImpl<>();
      open.put(topic, answer);
      answers.put(topic, answer);
      if (!silent.contains(topic)) {
        answer(topic);
      }
    }
    return answers;
  }

  private void answer(String topic) {
    Uuid id = broker.get(topic);
    KafkaFutureImpl<TopicDescription> answer = open.get(topic);
    if (id == null) {
      answer.completeExceptionally(new UnknownTopicOrPartitionException());
    } else {
      answer.complete(new TopicDescription(topic, false, List.of(), Set.of(), id));
    }
  }

  private Set<String> goneAfter(long millis) {
    nowNanos += Duration.ofMillis(millis).toNanos();
    return identities.gone(A);
  }

  /** Lets it learn the first id of the topic. */
  private void known() {
    broker.put("a", FIRST);
    assertThat(goneAfter(0)).isEmpty();
    assertThat(goneAfter(200)).isEmpty();
    asked.clear();
  }

  @Test
  void asksAtOnceThenEveryTwoSeconds() {
    broker.put("a", FIRST);

    assertThat(goneAfter(0)).isEmpty();
    assertThat(asked).hasSize(1);
    goneAfter(0);
    goneAfter(1_999);
    assertThat(asked).hasSize(1);
    goneAfter(1);
    assertThat(asked).hasSize(2);
    goneAfter(1_999);
    assertThat(asked).hasSize(2);
    goneAfter(1);
    assertThat(asked).hasSize(3);
  }

  @Test
  void asksEvery200MillisecondsForATopicThatItDoesNotKnowYet() {
    goneAfter(0);
    assertThat(asked).hasSize(1);
    goneAfter(199);
    assertThat(asked).hasSize(1);
    goneAfter(1);
    assertThat(asked).hasSize(2);
    assertThat(goneAfter(200)).as("it may still be created").isEmpty();
    assertThat(asked).hasSize(3);
  }

  @Test
  void aTopicWithAnotherIdIsGoneAtTheFirstAnswer() {
    known();
    broker.put("a", SECOND);

    assertThat(goneAfter(1_800)).isEmpty();
    assertThat(asked).hasSize(1);
    assertThat(goneAfter(0)).containsExactly("a");
  }

  @Test
  void anUnknownTopicIsGoneAtTheSecondAnswer() {
    known();
    broker.clear();

    assertThat(goneAfter(1_800)).isEmpty();
    assertThat(goneAfter(0)).as("a broker may learn of it late").isEmpty();
    assertThat(goneAfter(2_000)).isEmpty();
    assertThat(goneAfter(0)).containsExactly("a");
  }

  @Test
  void aTopicThatIsFoundAgainIsNotGone() {
    known();
    broker.clear();
    assertThat(goneAfter(1_800)).isEmpty();
    assertThat(goneAfter(0)).isEmpty();
    broker.put("a", FIRST);
    assertThat(goneAfter(2_000)).isEmpty();
    broker.clear();

    assertThat(goneAfter(2_000)).isEmpty();
    assertThat(goneAfter(2_000)).as("the first answer without it since").isEmpty();
    assertThat(goneAfter(0)).containsExactly("a");
  }

  @Test
  void asksNothingWhileAnAnswerIsDue() {
    known();
    silent.add("a");
    broker.put("a", SECOND);

    assertThat(goneAfter(1_800)).isEmpty();
    assertThat(goneAfter(60_000)).isEmpty();
    assertThat(asked).hasSize(1);

    answer("a");
    assertThat(goneAfter(0)).containsExactly("a");
  }

  @Test
  void anAnswerOfABrokerThatFailsSaysNothing() {
    known();
    silent.add("a");
    assertThat(goneAfter(1_800)).isEmpty();
    open.get("a").completeExceptionally(new UnknownTopicIdException("not now"));

    assertThat(goneAfter(0)).isEmpty();
  }

  @Test
  void forgetsTopicsThatAreNotFollowedAnyMore() {
    known();
    assertThat(identities.gone(Set.of("b"))).isEmpty();
    broker.put("a", SECOND);

    assertThat(goneAfter(2_000)).isEmpty();
    assertThat(goneAfter(2_000)).as("followed anew, with its present id").isEmpty();
  }
}
