package io.varve.log;

import com.github.dockerjava.api.DockerClient;
import io.varve.kafka.FreePorts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

/**
 * Brokers in containers, each also a controller, as in docker-compose.yml: three replicas of each
 * partition, of which two must have a record before it is acked. A broker keeps its port when its
 * container is started again.
 */
final class BrokerContainers implements AutoCloseable {

  private static final String IMAGE =
      System.getProperty("varve.docker.kafka-image", "apache/kafka:4.2.1");
  private static final Duration STARTED_WITHIN = Duration.ofMinutes(5);
  private static final int COUNT = 3;
  private static final String DATA = "/var/lib/kafka/data";
  private static final String FIRST_SEGMENT = "00000000000000000000";
  private static final String MAX_MESSAGE_BYTES = Integer.toString(16 << 20);

  private final Network network = Network.newNetwork();
  private final List<KafkaContainer> brokers = new ArrayList<>();

  BrokerContainers() throws IOException {
    for (int id = 1; id <= COUNT; id++) {
      brokers.add(broker(id));
    }
    Startables.deepStart(brokers).join();
  }

  private KafkaContainer broker(int id) throws IOException {
    KafkaContainer broker =
        new KafkaContainer(DockerImageName.parse(IMAGE).asCompatibleSubstituteFor("apache/kafka"))
            .withNetwork(network)
            .withNetworkAliases("broker-" + id)
            .withEnv("KAFKA_NODE_ID", Integer.toString(id))
            .withEnv(
                "KAFKA_CONTROLLER_QUORUM_VOTERS", "1@broker-1:9094,2@broker-2:9094,3@broker-3:9094")
            .withEnv("KAFKA_LOG_DIRS", DATA)
            .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
            .withEnv("KAFKA_DEFAULT_REPLICATION_FACTOR", Integer.toString(COUNT))
            .withEnv("KAFKA_MIN_INSYNC_REPLICAS", "2")
            .withEnv("KAFKA_MESSAGE_MAX_BYTES", MAX_MESSAGE_BYTES)
            .withEnv("KAFKA_REPLICA_FETCH_MAX_BYTES", MAX_MESSAGE_BYTES)
            // A broker that was killed may register again once its session has expired.
            .withEnv("KAFKA_BROKER_SESSION_TIMEOUT_MS", "3000")
            .withEnv("KAFKA_BROKER_HEARTBEAT_INTERVAL_MS", "500")
            .withEnv("KAFKA_HEAP_OPTS", "-Xmx384m -Xms384m")
            // One for each: the class has a single object, and the brokers start at the same time.
            .waitingFor(
                Wait.forLogMessage(".*Transitioning from RECOVERY to RUNNING.*", 1)
                    .withStartupTimeout(STARTED_WITHIN));
    broker.setPortBindings(List.of("127.0.0.1:" + FreePorts.next() + ":9092"));
    return broker;
  }

  String bootstrapServers() {
    return brokers.stream()
        .map(KafkaContainer::getBootstrapServers)
        .collect(Collectors.joining(","));
  }

  /**
   * Removes the batch of the record at {@code endOffset} and all later batches from every replica
   * of the partition. The log must have one segment. The brokers are killed, so that they recover
   * their logs from the remaining records.
   */
  void cutEnd(PartitionLog partition, long endOffset) throws IOException {
    String folder = DATA + "/" + partition.topic() + "-" + partition.partition();
    for (int broker = 0; broker < COUNT; broker++) {
      kill(broker);
    }
    for (KafkaContainer broker : brokers) {
      replace(broker, folder, FIRST_SEGMENT + ".log", log -> withoutEnd(log, endOffset));
      replace(broker, folder, FIRST_SEGMENT + ".index", _ -> new byte[0]);
      replace(broker, folder, FIRST_SEGMENT + ".timeindex", _ -> new byte[0]);
    }
    for (int broker = 0; broker < COUNT; broker++) {
      start(broker);
    }
  }

  void kill(int broker) {
    docker().killContainerCmd(brokers.get(broker).getContainerId()).exec();
  }

  void start(int broker) {
    docker().startContainerCmd(brokers.get(broker).getContainerId()).exec();
  }

  private static DockerClient docker() {
    return DockerClientFactory.instance().client();
  }

  private static byte[] withoutEnd(byte[] log, long endOffset) throws IOException {
    Path copy = Files.createTempFile("segment", ".log");
    try {
      Files.write(copy, log);
      try (FileChannel channel =
          FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        channel.truncate(BrokerFolder.sizeBefore(channel, endOffset));
      }
      return Files.readAllBytes(copy);
    } finally {
      Files.delete(copy);
    }
  }

  private interface Change {
    byte[] of(byte[] content) throws IOException;
  }

  /** Changes the content of a file of a stopped broker, not its owner and mode. */
  private static void replace(KafkaContainer broker, String folder, String name, Change change)
      throws IOException {
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    try (InputStream archive =
            docker()
                .copyArchiveFromContainerCmd(broker.getContainerId(), folder + "/" + name)
                .exec();
        TarArchiveInputStream in = new TarArchiveInputStream(archive);
        TarArchiveOutputStream out = new TarArchiveOutputStream(changed)) {
      TarArchiveEntry entry = in.getNextEntry();
      byte[] content = change.of(in.readAllBytes());
      entry.setSize(content.length);
      out.putArchiveEntry(entry);
      out.write(content);
      out.closeArchiveEntry();
    }
    docker()
        .copyArchiveToContainerCmd(broker.getContainerId())
        .withTarInputStream(new ByteArrayInputStream(changed.toByteArray()))
        .withRemotePath(folder)
        .exec();
  }

  @Override
  public void close() {
    brokers.forEach(KafkaContainer::stop);
    network.close();
  }
}
