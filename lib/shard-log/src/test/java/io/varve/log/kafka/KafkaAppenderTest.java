package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.common.KafkaException;
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
import org.junit.jupiter.api.Test;

class KafkaAppenderTest {

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
