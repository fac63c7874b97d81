package io.varve.standalone.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Drops the warning with which Kafka's controller reports that its metadata log is empty. Every
 * first start logs it, and it requires no action.
 */
public final class FirstStartFilter extends Filter<ILoggingEvent> {

  private static final String CONTROLLER = "org.apache.kafka.controller.QuorumController";
  private static final String WARNING =
      "Performing controller activation. The metadata log appears to be empty.";

  @Override
  public FilterReply decide(ILoggingEvent event) {
    return event.getLoggerName().equals(CONTROLLER) && event.getFormattedMessage().contains(WARNING)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
