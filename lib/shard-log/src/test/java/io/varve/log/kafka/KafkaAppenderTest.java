package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.RawRecord;
import io.varve.log.PartitionLog.AppendCallback;
import io.varve.process.Sleeper;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaAppenderTest {

  private static final AppendCallback SUCCESS =
      new AppendCallback() {
        @Override
        public void appended(long offset, long timestampMillis) {}

        @Override
        public void unknown(String reason) {
          throw new AssertionError(reason);
        }
      };

  @Test
  void aProducerForgetsTheTopicsWhoseWritersHaveEnded() throws Exception {
    assertThat(producersFor(number -> new TopicPartition("topic-" + number, 0))).isEqualTo(10);
  }

  @Test
  void aProducerForgetsThePartitionsOfATopicWhoseWritersHaveEnded() throws Exception {
    assertThat(producersFor(number -> new TopicPartition("topic", number))).isEqualTo(10);
  }

  /** The number of producers after appends to ten times the spare partitions, one after another. */
  private static int producersFor(IntFunction<TopicPartition> partitions) throws Exception {
    AtomicInteger producers = new AtomicInteger();
    KafkaLogConfig config = KafkaLogConfig.of("127.0.0.1:1", "test");
    try (KafkaAppender appender =
        new KafkaAppender(
            config,
            () -> {
              producers.incrementAndGet();
              return new MockProducer<>(
                  true, null, new ByteArraySerializer(), new ByteArraySerializer());
            },
            () -> 0,
            Sleeper.SYSTEM)) {
      for (int number = 0; number < 10 * Producers.SPARE_PARTITIONS; number++) {
        TopicPartition partition = partitions.apply(number);
        appender.append(partition, RawRecord.keyed(new byte[0], new byte[] {1}), SUCCESS);
        appender.endAppends(partition);
      }
    }
    return producers.get();
  }

  @Test
  void whatOnePartitionAnswersLeavesTheProducerToTheOthers() {
    assertThat(
            List.of(
                new UnknownServerException("of one broker"),
                new OutOfOrderSequenceException("of one partition"),
                new UnknownProducerIdException("of one partition"),
                new NotEnoughReplicasException("of one partition"),
                new RecordTooLargeException("one record"),
                new TopicAuthorizationException("one topic")))
        .allSatisfy(
            failure -> assertThat(KafkaAppender.endsProducer(failure)).as("%s", failure).isFalse());
  }

  @Test
  void whatAProducerCanNotSurviveReplacesIt() {
    assertThat(
            List.of(
                new ProducerFencedException("by another"),
                new ClusterAuthorizationException("no idempotent writes"),
                new UnsupportedVersionException("an old broker"),
                new SaslAuthenticationException("a wrong password"),
                new IllegalStateException("it is closed"),
                new KafkaException("its thread has ended")))
        .allSatisfy(
            failure -> assertThat(KafkaAppender.endsProducer(failure)).as("%s", failure).isTrue());
  }
}
