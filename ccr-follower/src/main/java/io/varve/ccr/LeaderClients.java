package io.varve.ccr;

import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.kafka.KafkaLogConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * The Kafka clients of a process for the clusters that it follows. All pullers that read from the
 * same brokers with the same limits and credentials share one client. It has one producer, one
 * consumer for all partitions and a few consumers for requests, regardless of the number of shards.
 * A client is closed when the last puller closes it. Thread-safe.
 */
final class LeaderClients {

  /** Reads of records, each of which needs a consumer of its own. */
  private static final int MOST_READS = 4;

  private record Key(
      String bootstrapServers, KafkaLogConfig.Fetch fetch, KafkaLogConfig.Security security) {}

  private static final class Shared {
    final MessageLog log;
    final Semaphore reads = new Semaphore(MOST_READS, true);
    int users;

    Shared(MessageLog log) {
      this.log = log;
    }
  }

  private final Function<KafkaLogConfig, MessageLog> clients;
  private final String clientId;
  private final Map<Key, Shared> shared = new HashMap<>();

  /**
   * @param clients creates a client
   */
  LeaderClients(Function<KafkaLogConfig, MessageLog> clients, String clientId) {
    this.clients = clients;
    this.clientId = clientId;
  }

  /** The use of a client by one puller. */
  final class Client implements AutoCloseable {

    private final Key key;
    private final Shared used;
    private boolean closed;

    private Client(Key key, Shared used) {
      this.key = key;
      this.used = used;
    }

    MessageLog log() {
      return used.log;
    }

    /** The partition; the number of concurrent reads of its records is limited. */
    PartitionLog open(String topic, int partition) {
      return new BoundedReads(used.log.open(topic, partition), used.reads);
    }

    @Override
    public void close() {
      boolean last;
      synchronized (LeaderClients.this) {
        if (closed) {
          return;
        }
        closed = true;
        last = --used.users == 0;
        if (last) {
          shared.remove(key);
        }
      }
      if (last) {
        used.log.close();
      }
    }
  }

  /** Must be closed. */
  synchronized Client open(
      String bootstrapServers, KafkaLogConfig.Fetch fetch, KafkaLogConfig.Security security) {
    Key key = new Key(bootstrapServers, fetch, security);
    Shared used =
        shared.computeIfAbsent(
            key,
            _ ->
                new Shared(
                    clients.apply(
                        KafkaLogConfig.of(bootstrapServers, clientId)
                            .withFetch(fetch)
                            .withSecurity(security))));
    used.users++;
    return new Client(key, used);
  }
}
