package io.varve.log.kafka;

import static io.varve.log.kafka.Producers.SPARE_PARTITIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;

class ProducersTest {

  private final List<Client> created = new ArrayList<>();
  private int partitionsInUse;
  private final Producers producers =
      new Producers(
          () -> {
            Client client = new Client();
            created.add(client);
            return client;
          },
          () -> partitionsInUse);

  private static final class Client extends MockProducer<byte[], byte[]> {

    final CountDownLatch closing = new CountDownLatch(1);

    @Override
    public void close(Duration timeout) {
      super.close(timeout);
      closing.countDown();
    }

    void awaitClose() throws InterruptedException {
      assertThat(closing.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private SharedProducer use(String topic) {
    return producers.use(new TopicPartition(topic, 0));
  }

  private SharedProducer useForTopics(int from, int to) {
    SharedProducer last = use("topic-" + from);
    for (int topic = from + 1; topic < to; topic++) {
      last = use("topic-" + topic);
    }
    return last;
  }

  @Test
  void allTopicsShareAProducer() {
    SharedProducer producer = useForTopics(0, SPARE_PARTITIONS);
    assertThat(use("topic-0")).isNotSameAs(producer);
    assertThat(created).hasSize(2);
  }

  @Test
  void aProducerThatWasUsedForTooManyTopicsIsClosedWhenItIsIdle() throws Exception {
    useForTopics(0, SPARE_PARTITIONS);
    SharedProducer next = use("another");
    created.getFirst().awaitClose();
    assertThat(next.begin()).isTrue();
    assertThat(created.getLast().closed()).isFalse();
  }

  @Test
  void aRetiredProducerIsClosedAfterItsLastAppend() throws Exception {
    SharedProducer first = useForTopics(0, SPARE_PARTITIONS);
    assertThat(first.begin()).isTrue();
    assertThat(first.begin()).isTrue();
    use("another");
    assertThat(first.isRetired()).isTrue();
    first.end();
    assertThat(first.isClosed()).isFalse();
    assertThat(first.begin()).isTrue();
    first.end();
    first.end();
    created.getFirst().awaitClose();
    assertThat(first.begin()).isFalse();
  }

  @Test
  void partitionsInUseRaiseTheLimit() {
    partitionsInUse = 100;
    SharedProducer first = useForTopics(0, SPARE_PARTITIONS + 200);
    assertThat(first.isRetired()).isFalse();
    use("another");
    assertThat(first.isRetired()).isTrue();
  }

  @Test
  void aProducerThatFailedIsReplacedOnce() throws Exception {
    SharedProducer first = use("a");
    producers.failed(first, new ProducerFencedException("by another"));
    SharedProducer second = use("a");
    producers.failed(first, new ProducerFencedException("by another"));
    assertThat(use("b")).isSameAs(second);
    created.getFirst().awaitClose();
    assertThat(created.getLast().closed()).isFalse();
  }

  @Test
  void closingClosesRetiredProducersThatHaveAppendsInFlight() {
    assertThat(useForTopics(0, SPARE_PARTITIONS).begin()).isTrue();
    use("another");
    producers.close(Duration.ZERO);
    assertThat(created).hasSize(2).allMatch(MockProducer::closed);
    assertThatThrownBy(() -> use("a")).isInstanceOf(IllegalStateException.class);
  }
}
