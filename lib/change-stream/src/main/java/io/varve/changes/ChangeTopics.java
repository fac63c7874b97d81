package io.varve.changes;

import io.varve.cluster.RemoteAccess;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.SeedGuards;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Finds the topics of indices by their names, for example {@code @KafkaListener(topics =
 * "#{@changeTopics.of('books')}")}.
 */
public final class ChangeTopics implements IndexNames, AutoCloseable {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final HttpClient http;
  private final RemoteCluster cluster;
  private final Map<String, String> names = new ConcurrentHashMap<>();

  /**
   * @param seeds {@code host:port} of coordinators, asked in this order until one answers
   */
  public ChangeTopics(List<String> seeds) {
    this(seeds, Optional.empty(), Optional::empty);
  }

  /**
   * For a secured cluster.
   *
   * @param seeds {@code host:port} of coordinators, asked in this order until one answers
   * @param tls the context of connections to them; empty without TLS
   * @param authorization the header {@code Authorization} of a user, asked for each request
   */
  public ChangeTopics(
      List<String> seeds, Optional<SSLContext> tls, Supplier<Optional<String>> authorization) {
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT);
    tls.ifPresent(client::sslContext);
    this.http = client.build();
    this.cluster =
        new RemoteCluster(
            new Access(http, tls.isPresent(), authorization), seeds, new SeedGuards());
  }

  /** Access to the coordinators, at the addresses that the user gave. */
  private record Access(HttpClient http, boolean tls, Supplier<Optional<String>> authorizations)
      implements RemoteAccess {

    @Override
    public void require(String address) {
      // No other cluster names addresses here.
    }

    @Override
    public String scheme() {
      return tls ? "https" : "http";
    }

    @Override
    public Optional<String> authorization() {
      return authorizations.get();
    }

    @Override
    public String credentials() {
      return authorization().isEmpty() ? "no user" : "the user";
    }
  }

  /** The topic of an index, and the brokers that have it. */
  public record Located(ChangeTopic topic, String bootstrapServers) {}

  /**
   * The topic of that index.
   *
   * @throws IllegalStateException there is no such index, or no coordinator answered
   */
  public String of(String index) {
    try {
      return locate(index).topic().operations();
    } catch (IOException e) {
      throw new IllegalStateException(
          "the topic of index [" + index + "] could not be found: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while looking for index [" + index + "]", e);
    }
  }

  /**
   * @throws RemoteCluster.MissingIndexException there is no such index
   * @throws IOException no coordinator answered
   */
  public Located locate(String index) throws IOException, InterruptedException {
    RemoteCluster.Export found = cluster.export(index);
    ChangeTopic topic = ChangeTopic.of(found.opsTopic());
    names.put(topic.indexUuid(), index);
    return new Located(topic, found.kafkaBootstrapServers());
  }

  @Override
  public String name(String indexUuid) {
    return names.getOrDefault(indexUuid, indexUuid);
  }

  @Override
  public void close() {
    http.close();
  }
}
