package io.varve.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * When its disk is full, a single broker stops instead of losing acknowledged records, and appends
 * fail in time. Once there is free space, it restarts with all acknowledged records. The disk is a
 * small tmpfs, which requires the permission to mount; {@link EmbeddedBrokerTest} covers a killed
 * broker.
 */
@Tag("system")
@Timeout(600)
class FullBrokerDiskTest {

  private static final TopicPartition PARTITION = new TopicPartition("kept", 0);
  private static final int RECORD_BYTES = 64 << 10;
  private static final int RECORDS = 4_000;

  /** Exceeds any delay of a broker that has space. */
  private static final int APPEND_MILLIS = 60_000;

  @TempDir private Path data;
  private @Nullable BrokerProcess broker;
  private boolean mounted;

  @AfterEach
  void close() throws Exception {
    if (broker != null) {
      broker.kill();
    }
    if (mounted) {
      run("umount", "--lazy", data.toString());
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
  }

  @Test
  void appendsFailInTimeAndAllThatWasAckedIsThereWhenThereIsRoomAgain() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/mount")), "there is no mount(8) here");
    mounted = run("mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", data.toString());
    assumeTrue(mounted, "a tmpfs can't be mounted here: that takes CAP_SYS_ADMIN");
    broker = BrokerProcess.start(data, "--flush", "always");
    String address = broker.awaitReady();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      admin
          .createTopics(List.of(new NewTopic(PARTITION.topic(), Optional.of(1), Optional.empty())))
          .all()
          .get(60, TimeUnit.SECONDS);
    }

    int acked = appendUntilItFails(address);

    System.out.println(acked + " records were acked before the disk was full");
    assertThat(acked).isBetween(10, RECORDS - 1);
    assertThat(broker.process().waitFor(60, TimeUnit.SECONDS))
        .as("a broker without a log folder ends")
        .isTrue();

    assertThat(run("mount", "-o", "remount,size=256m", data.toString())).isTrue();
    broker = BrokerProcess.start(data, "--flush", "always");
    assertThat(read(broker.awaitReady(), acked)).isEqualTo(numbers(acked));
  }

  /** Returns the number of acknowledged records. */
  private static int appendUntilItFails(String address) throws InterruptedException {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers", address,
            "acks", "all",
            "delivery.timeout.ms", APPEND_MILLIS,
            "request.timeout.ms", APPEND_MILLIS,
            "max.block.ms", APPEND_MILLIS,
            "linger.ms", 0);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int number = 0; number < RECORDS; number++) {
        byte[] value = ByteBuffer.allocate(RECORD_BYTES).putInt(number).array();
        try {
          producer
              .send(new ProducerRecord<>(PARTITION.topic(), PARTITION.partition(), null, value))
              .get();
        } catch (ExecutionException e) {
          return number;
        }
      }
    }
    return RECORDS;
  }

  private static List<Integer> numbers(int count) {
    List<Integer> numbers = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      numbers.add(number);
    }
    return numbers;
  }

  /** Reads the first records. */
  private static List<Integer> read(String address, int count) {
    List<Integer> found = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", address),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(PARTITION));
      consumer.seekToBeginning(List.of(PARTITION));
      while (found.size() < count) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          if (found.size() < count) {
            found.add(ByteBuffer.wrap(record.value()).getInt());
          }
        }
      }
    }
    return found;
  }
}
