package io.varve.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.log.PartitionLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.log.kafka.KafkaSecurity;
import io.varve.tls.CertificateFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The events for auditors of a secured cluster, read as its broker.
 *
 * @param data the folder of the cluster
 * @param broker its name
 */
public record AuditTopic(Path data, String broker) {

  /** All events so far, as JSON. */
  public List<String> events() throws Exception {
    List<String> events = new ArrayList<>();
    try (KafkaMessageLog log = log()) {
      PartitionLog audit = log.open("varve.varve.audit", 0);
      audit.read(
          0, audit.endOffset(), record -> events.add(new String(record.record().value(), UTF_8)));
    }
    return events;
  }

  private KafkaMessageLog log() throws IOException {
    Path files = new CertificateFolder(data.resolve("security"), InstantSource.system()).of(broker);
    KafkaSecurity.PemFiles pem =
        new KafkaSecurity.PemFiles(
            files.resolve(CertificateFolder.NODE_FILE),
            files.resolve(CertificateFolder.TRUST_FILE));
    return new KafkaMessageLog(
        KafkaLogConfig.of("127.0.0.1:" + Ports.in(data).of(broker), "auditor")
            .withSecurity(KafkaSecurity.tls(pem)));
  }
}
