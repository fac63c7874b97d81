package io.varve.ccr;

import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;

/** Clients of a broker whose requests also succeed if a slow machine pauses a thread. */
final class PatientLogs {

  private static final int TIMEOUT_MILLIS = 60_000;

  private PatientLogs() {}

  static KafkaMessageLog open(String bootstrapServers, String clientId) {
    return open(KafkaLogConfig.of(bootstrapServers, clientId));
  }

  /** A client with that configuration, except for the timeouts. */
  static KafkaMessageLog open(KafkaLogConfig config) {
    KafkaLogConfig.Fetch fetch = config.fetch();
    return new KafkaMessageLog(
        new KafkaLogConfig(
            config.bootstrapServers(),
            config.clientId(),
            TIMEOUT_MILLIS,
            TIMEOUT_MILLIS,
            config.maxInFlightBytes(),
            config.maxRecordBytes(),
            config.compression(),
            new KafkaLogConfig.Fetch(
                fetch.maxRecords(),
                fetch.maxBytes(),
                fetch.promptWaitMillis(),
                fetch.patientWaitMillis(),
                TIMEOUT_MILLIS),
            config.security()));
  }
}
