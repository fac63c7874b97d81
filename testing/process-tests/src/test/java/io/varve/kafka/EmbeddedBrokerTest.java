package io.varve.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that a killed broker restarts with all records that it has acknowledged. */
@Tag("system")
class EmbeddedBrokerTest {

  private static final TopicPartition PARTITION = new TopicPartition("kept", 0);

  @Test
  void afterAKillAllThatWasAckedIsThereAndSigtermEndsItInTime(@TempDir Path data) throws Exception {
    BrokerProcess first = BrokerProcess.start(data, "--flush", "always");
    BrokerProcess second = null;
    try {
      String address = first.awaitReady();
      createTopic(address);
      append(address, "before the kill", 200);
      first.kill();

      long killedNanos = System.nanoTime();
      second = BrokerProcess.start(data, "--flush", "always");
      String newAddress = second.awaitReady();
      long millis = Duration.ofNanos(System.nanoTime() - killedNanos).toMillis();
      System.out.println("back after a kill in " + millis + " ms");
      assertThat(read(newAddress, 200)).allMatch("before the kill"::equals);
      append(newAddress, "after", 1);
      assertThat(read(newAddress, 201)).endsWith("after");
      assertThat(second.terminate(Duration.ofSeconds(60))).isTrue();
    } finally {
      first.kill();
      if (second != null) {
        second.kill();
      }
    }
  }

  @Test
  void clientsOfTheListenerForOtherClustersAreToldItsAdvertisedPort(@TempDir Path data)
      throws Exception {
    List<Integer> ports = freePorts(2);
    int own = ports.get(0);
    // Announces the broker's other port, so that the clients can continue.
    BrokerConfig.Remote remote = new BrokerConfig.Remote(ports.get(1), own);
    try (EmbeddedBroker broker =
            EmbeddedBroker.start(
                BrokerConfig.single(
                    data, new BrokerConfig.Ports(own, 0, 0, remote), BrokerConfig.Flush.OS));
        Admin client = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + remote.port()))) {
      assertThat(broker.bootstrapServers()).isEqualTo("127.0.0.1:" + own);
      assertThat(client.describeCluster().nodes().get(60, TimeUnit.SECONDS))
          .extracting(Node::port)
          .containsExactly(own);
    }
  }

  @Test
  void threeBrokersGoOnWithoutOneAndTakeItBack(@TempDir Path data) throws Exception {
    List<Integer> ports = freePorts(6);
    String addresses =
        IntStream.range(0, 3)
            .mapToObj(i -> "127.0.0.1:" + ports.get(i))
            .collect(Collectors.joining(","));
    List<BrokerProcess> brokers = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        brokers.add(startOneOfThree(data, ports, i));
      }
      for (BrokerProcess broker : brokers) {
        broker.awaitReady();
      }
      createTopic(addresses);
      append(addresses, "all", 50);
      brokers.get(0).kill();
      append(addresses, "two", 50);
      brokers.set(0, startOneOfThree(data, ports, 0));
      brokers.get(0).awaitReady();
      assertThat(read(addresses, 100)).startsWith("all").endsWith("two");
      brokers.forEach(broker -> broker.process().destroy());
      for (BrokerProcess broker : brokers) {
        assertThat(broker.terminate(Duration.ofSeconds(60))).isTrue();
      }
    } finally {
      for (BrokerProcess broker : brokers) {
        broker.kill();
      }
    }
  }

  private static BrokerProcess startOneOfThree(Path data, List<Integer> ports, int index)
      throws IOException {
    String voters =
        IntStream.range(0, 3)
            .mapToObj(i -> (i + 1) + "@127.0.0.1:" + ports.get(3 + i))
            .collect(Collectors.joining(","));
    return BrokerProcess.start(
        data.resolve("b" + index),
        "--flush",
        "os",
        "--node-id",
        Integer.toString(index + 1),
        "--port",
        ports.get(index).toString(),
        "--controller-port",
        ports.get(3 + index).toString(),
        "--voters",
        voters);
  }

  private static List<Integer> freePorts(int count) throws IOException {
    Set<Integer> ports = new LinkedHashSet<>();
    while (ports.size() < count) {
      ports.add(FreePorts.next());
    }
    return List.copyOf(ports);
  }

  @Test
  void tellsItsPortsAndTakesItsSettings(@TempDir Path data) throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.startSingle(data, BrokerConfig.Flush.ALWAYS)) {
      assertThat(broker.config().ports().broker()).isPositive();
      assertThat(broker.config().ports().controller()).isPositive();
      assertThat(broker.bootstrapServers())
          .isEqualTo("127.0.0.1:" + broker.config().ports().broker());
      createTopic(broker.bootstrapServers());
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, PARTITION.topic());
        var settings = admin.describeConfigs(List.of(topic)).all().get(60, TimeUnit.SECONDS);
        assertThat(settings.get(topic).get("flush.messages").value()).isEqualTo("1");
        assertThat(settings.get(topic).get("max.message.bytes").value())
            .isEqualTo(Integer.toString(EmbeddedBroker.MAX_MESSAGE_BYTES));
      }
    }
  }

  private static void createTopic(String address) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      admin
          .createTopics(List.of(new NewTopic(PARTITION.topic(), Optional.of(1), Optional.empty())))
          .all()
          .get(60, TimeUnit.SECONDS);
    }
  }

  private static void append(String address, String text, int count) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", address, "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < count; i++) {
        producer
            .send(
                new ProducerRecord<>(
                    PARTITION.topic(), 0, null, text.getBytes(StandardCharsets.UTF_8)))
            .get(60, TimeUnit.SECONDS);
      }
    }
  }

  private static List<String> read(String address, int count) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", address),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(PARTITION));
      consumer.seekToBeginning(List.of(PARTITION));
      List<String> texts = new ArrayList<>();
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (texts.size() < count && System.nanoTime() < deadline) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
          texts.add(new String(record.value(), StandardCharsets.UTF_8));
        }
      }
      assertThat(texts).hasSize(count);
      return texts;
    }
  }
}
