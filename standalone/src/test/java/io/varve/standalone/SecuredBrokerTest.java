package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.BrokerSecurity;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.log.kafka.KafkaSecurity;
import io.varve.tls.CertificateFolder;
import io.varve.tls.CertificateFolder.Step;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broker of a secured cluster: who reaches it, what each service may do there, and that changed
 * certificates need no restart of either side.
 */
@Tag("system")
@Tag("broker")
class SecuredBrokerTest {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final byte TLS_ALERT = 0x15;
  private static final String OPERATIONS = "varve.varve.ops.x";

  @TempDir static Path data;
  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() throws Exception {
    broker = start(data);
    try (KafkaMessageLog coordinator = log(certificate(ServiceKind.COORDINATOR))) {
      // The broker has its permissions, but may not use them yet.
      Awaitility.await().atMost(PATIENCE).until(() -> created(coordinator));
    }
  }

  private static boolean created(KafkaMessageLog coordinator) {
    try {
      coordinator.createTopic(new TopicSpec(OPERATIONS, 1, 1, Map.of()));
      return true;
    } catch (LogException e) {
      return false;
    }
  }

  private static EmbeddedBroker start(Path folder) throws Exception {
    Path files = new SecurityFolder(folder).broker("broker", folder.resolve("broker"), List.of());
    return EmbeddedBroker.start(
        BrokerConfig.single(
                folder.resolve("broker"), new BrokerConfig.Ports(0, 0), BrokerConfig.Flush.OS)
            .with(BrokerSecurity.read(files)));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static CertificateFolder certificates(Path folder) {
    return new CertificateFolder(folder.resolve("security"), InstantSource.system());
  }

  /** The files of a process of this service. */
  private static Path certificate(ServiceKind service) throws IOException {
    return certificate(data, service);
  }

  private static Path certificate(String name, ServiceKind service) throws IOException {
    return certificate(data, name, service);
  }

  private static Path certificate(Path folder, ServiceKind service) throws IOException {
    return certificate(folder, service.text(), service);
  }

  private static Path certificate(Path folder, String name, ServiceKind service)
      throws IOException {
    var _ =
        new SecurityFolder(folder)
            .arguments(
                new SecurityFolder.Member(name, service, folder.resolve(name), 1), List.of());
    return certificates(folder).of(name);
  }

  private static KafkaMessageLog log(Path files) {
    return log(files, PATIENCE);
  }

  /** For what is refused: the failure is reported sooner. */
  private static KafkaMessageLog impatient(Path files) {
    return log(files, Duration.ofSeconds(4));
  }

  private static KafkaMessageLog log(Path files, Duration timeout) {
    int millis = Math.toIntExact(timeout.toMillis());
    KafkaSecurity.PemFiles pem =
        new KafkaSecurity.PemFiles(
            files.resolve(CertificateFolder.NODE_FILE),
            files.resolve(CertificateFolder.TRUST_FILE),
            files.resolve(CertificateFolder.REVOCATIONS_FILE));
    return new KafkaMessageLog(
        new KafkaLogConfig(
                broker.bootstrapServers(), "test", millis, millis, 1 << 20, 1 << 16, "none")
            .withSecurity(KafkaSecurity.tls(pem)));
  }

  private static void append(KafkaMessageLog log, String topic)
      throws LogException, InterruptedException {
    PartitionLog partition = log.open(topic, 0);
    assertThat(Appends.await(partition, record())).isNotNegative();
  }

  private static RawRecord record() {
    return RecordHeader.fence(1, "n1");
  }

  private static void isRefused(Path files) {
    try (KafkaMessageLog stranger = impatient(files)) {
      assertThatThrownBy(() -> stranger.open(OPERATIONS, 0).endOffset())
          .isInstanceOf(LogException.class);
      assertThatThrownBy(() -> append(stranger, OPERATIONS)).isInstanceOf(LogException.class);
    }
  }

  /** A Kafka client would take the alert for the size of an answer. */
  private static void isRefusedWithoutTls() throws IOException {
    try (Socket plain =
        new Socket(InetAddress.getLoopbackAddress(), broker.config().ports().broker())) {
      plain.getOutputStream().write(new byte[] {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 0, 0});
      byte[] answer = plain.getInputStream().readAllBytes();
      assertThat(answer.length == 0 || answer[0] == TLS_ALERT).isTrue();
    }
  }

  @Test
  void aServiceWritesWhatItsPermissionsSay() throws Exception {
    Path coordinators = certificate(ServiceKind.COORDINATOR);
    Path consumers = certificate(ServiceKind.CONSUMER);
    try (KafkaMessageLog shard = log(certificate(ServiceKind.SHARD_SERVICE));
        KafkaMessageLog coordinator = log(coordinators);
        KafkaMessageLog consumer = log(consumers)) {
      append(shard, OPERATIONS);
      long end = shard.open(OPERATIONS, 0).endOffset();
      List<byte[]> read = new ArrayList<>();
      consumer.open(OPERATIONS, 0).read(end - 1, end, r -> read.add(r.record().header()));
      assertThat(read).hasSize(1);
      assertThat(coordinator.open(OPERATIONS, 0).endOffset()).isEqualTo(end);
      assertThat(coordinator.partitions("varve.varve.").total()).isPositive();
      for (Path reader : List.of(coordinators, consumers)) {
        try (KafkaMessageLog reading = impatient(reader)) {
          assertThatThrownBy(() -> append(reading, OPERATIONS)).isInstanceOf(LogException.class);
        }
      }
      TopicSpec another = new TopicSpec("varve.varve.ops.y", 1, 1, Map.of());
      assertThatThrownBy(() -> shard.createTopic(another)).isInstanceOf(LogException.class);
      assertThatThrownBy(() -> consumer.deleteTopic(OPERATIONS)).isInstanceOf(LogException.class);
      assertThat(shard.open(OPERATIONS, 0).endOffset()).isEqualTo(end);
    }
  }

  @Test
  void strangersAreRefused(@TempDir Path other) throws Exception {
    isRefused(certificate(other, ServiceKind.SHARD_SERVICE));
    isRefused(certificate(ServiceKind.MONITOR));
    isRefusedWithoutTls();
    Path ofOther = certificate(other, ServiceKind.SHARD_SERVICE);
    Path mixed = Files.createDirectories(other.resolve("mixed"));
    Files.copy(ofOther.resolve("node.pem"), mixed.resolve("node.pem"));
    Files.copy(certificates(data).trustFile(), mixed.resolve("ca.pem"));
    isRefused(mixed);
  }

  @Test
  void aRevokedCertificateIsRefusedAlsoOnAnOpenConnectionAndOthersGoOn() throws Exception {
    Path stolen = certificate("stolen", ServiceKind.SHARD_SERVICE);
    try (KafkaMessageLog open = impatient(stolen);
        KafkaMessageLog other = log(certificate(ServiceKind.SHARD_SERVICE))) {
      // On a slow machine, its first connection may take longer than an append may.
      Awaitility.await().atMost(PATIENCE).until(() -> !failsToAppend(open));
      append(other, OPERATIONS);
      certificates(data).revoke("stolen", false);
      Awaitility.await().atMost(PATIENCE).until(() -> failsToAppend(open));
      long end = other.open(OPERATIONS, 0).endOffset();
      isRefused(stolen);
      assertThatThrownBy(() -> append(open, OPERATIONS)).isInstanceOf(LogException.class);
      assertThat(other.open(OPERATIONS, 0).endOffset()).isEqualTo(end);
      append(other, OPERATIONS);

      certificates(data).rotate("stolen", 365);
      try (KafkaMessageLog again = log(stolen)) {
        append(again, OPERATIONS);
      }
    }
  }

  private static boolean failsToAppend(KafkaMessageLog log) throws InterruptedException {
    try {
      append(log, OPERATIONS);
      return false;
    } catch (LogException e) {
      return true;
    }
  }

  @Test
  void theAuthorityIsReplacedWhileRecordsAreWritten(@TempDir Path old) throws Exception {
    Path files = certificate(ServiceKind.SHARD_SERVICE);
    for (String file : List.of("node.pem", "ca.pem")) {
      Files.copy(files.resolve(file), old.resolve(file));
    }
    try (KafkaMessageLog open = log(files)) {
      append(open, OPERATIONS);
      for (Step step : Step.values()) {
        certificates(data).rotateAuthority(step, 365);
        append(open, OPERATIONS);
        try (KafkaMessageLog next = log(files)) {
          append(next, OPERATIONS);
        }
      }
      isRefused(old);
    }
  }
}
