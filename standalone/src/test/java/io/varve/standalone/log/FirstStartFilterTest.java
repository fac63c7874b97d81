package io.varve.standalone.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirstStartFilterTest {

  private static final String CONTROLLER = "org.apache.kafka.controller.QuorumController";

  @ParameterizedTest
  @CsvSource({
    CONTROLLER + ", Performing controller activation. The metadata log appears to be empty., DENY",
    CONTROLLER + ", Performing controller activation. Loaded feature levels., NEUTRAL",
    CONTROLLER + ", registerBroker: failed, NEUTRAL",
    "org.example.Other, The metadata log appears to be empty., NEUTRAL",
  })
  void onlyTheWarningAboutAnEmptyMetadataLogIsDropped(
      String logger, String message, FilterReply expected) {
    LoggingEvent event =
        new LoggingEvent(
            "test",
            new LoggerContext().getLogger(logger),
            Level.WARN,
            "[QuorumController id=1] " + message,
            null,
            null);

    assertThat(new FirstStartFilter().decide(event)).isEqualTo(expected);
  }
}
