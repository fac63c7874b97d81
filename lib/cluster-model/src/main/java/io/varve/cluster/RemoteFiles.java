package io.varve.cluster;

import io.varve.log.kafka.KafkaSecurity;
import io.varve.log.kafka.ReloadingSslEngines;
import io.varve.process.Revocations;
import java.io.IOException;
import java.io.StringReader;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;

/**
 * The folder with the certificates and credentials for other clusters, and the clients that use
 * them. A file is read for each request or connection, so a file that was corrected takes effect
 * without a restart. Thread-safe.
 */
public final class RemoteFiles implements AutoCloseable {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final String LOCATION = ".location";

  private final Path folder;
  private final HttpClient plain;
  private final RemoteAddresses allowed;
  private final SeedGuards guards = new SeedGuards();
  private final RemoteRevocations revocations = new RemoteRevocations();

  /** Clients for HTTPS, by the content of their files. */
  private final Map<RemoteTls, HttpClient> secured = new HashMap<>();

  /** For clusters at any address. */
  public RemoteFiles(Path folder, HttpClient plain) {
    this(folder, plain, RemoteAddresses.ANY);
  }

  /**
   * @param plain the client for clusters without TLS; not closed by this
   * @param allowed the addresses of other clusters to which connections may be made
   */
  public RemoteFiles(Path folder, HttpClient plain, RemoteAddresses allowed) {
    this.folder = folder;
    this.plain = SecretHttpClient.withoutSecret(plain);
    this.allowed = allowed;
  }

  /**
   * Checks the addresses that another cluster gives for its brokers.
   *
   * @throws RemoteCluster.RefusedException one of them is not allowed
   */
  public void requireBrokers(String bootstrapServers) throws RemoteCluster.RefusedException {
    allowed.require(bootstrapServers);
  }

  /** The circuit breakers of the seeds of all clusters. */
  public SeedGuards guards() {
    return guards;
  }

  /** A client of the coordinators of that cluster. */
  public RemoteCluster cluster(RemoteSettings remote) {
    return new RemoteCluster(access(remote), remote.seeds(), guards);
  }

  /** How requests to the coordinators of that cluster are sent. */
  public RemoteAccess access(RemoteSettings remote) {
    return new RemoteAccess() {
      @Override
      public HttpClient http() throws IOException {
        return remote.tls() ? secured(remote) : plain;
      }

      @Override
      public void require(String address) throws RemoteCluster.RefusedException {
        allowed.require(address);
      }

      @Override
      public String scheme() {
        return remote.tls() ? "https" : "http";
      }

      @Override
      public Optional<String> authorization() throws IOException {
        return remote.credentialsFile().isEmpty()
            ? Optional.empty()
            : Optional.of(basic(remote.credentialsFile()));
      }

      @Override
      public String credentials() {
        return remote.credentialsFile().isEmpty()
            ? "no credentials; set [cluster.remote." + remote.alias() + ".credentials_file]"
            : "the credentials of [" + remote.credentialsFile() + "]";
      }
    };
  }

  /**
   * The properties of Kafka's clients for the brokers of a cluster.
   *
   * @param stores changes with the content of the key and trust stores that the properties name;
   *     clients read these only once
   */
  public record Kafka(Map<String, String> properties, int stores) {}

  /**
   * The properties of Kafka's clients for the brokers of that cluster. Relative locations of key
   * and trust stores are in this folder.
   *
   * @throws IOException the file can't be read, or has properties that are not about security
   */
  public Kafka kafka(RemoteSettings remote) throws IOException {
    Map<String, String> properties = new TreeMap<>();
    if (remote.kafkaPropertiesFile().isEmpty()) {
      return new Kafka(properties, 0);
    }
    int stores = 0;
    for (Map.Entry<Object, Object> entry : properties(remote.kafkaPropertiesFile()).entrySet()) {
      String name = entry.getKey().toString();
      if (!name.equals("security.protocol")
          && !name.startsWith("ssl.")
          && !name.startsWith("sasl.")) {
        throw new IOException(
            "the file [%s] has [%s], but only [security.protocol], [ssl.*] and [sasl.*] are allowed"
                .formatted(remote.kafkaPropertiesFile(), name));
      }
      String value = entry.getValue().toString();
      if (name.endsWith(LOCATION)) {
        Path store = folder.resolve(value);
        stores = 31 * stores + contentHash(store);
        value = store.toString();
      }
      properties.put(name, value);
    }
    if (properties.containsKey(KafkaSecurity.REVOCATIONS)) {
      properties.putIfAbsent("ssl.engine.factory.class", ReloadingSslEngines.class.getName());
    }
    return new Kafka(properties, stores);
  }

  /** A missing file causes an error of Kafka's client that names the file. */
  private static int contentHash(Path file) throws IOException {
    return Files.exists(file) ? Arrays.hashCode(Files.readAllBytes(file)) : 0;
  }

  /** The content of all files of that cluster, to notice changes. */
  public List<String> contents(RemoteSettings remote) {
    List<String> contents = new ArrayList<>();
    for (String file : remote.files()) {
      try {
        contents.add(file.isEmpty() ? "" : text(file));
      } catch (IOException e) {
        contents.add(String.valueOf(e.getMessage()));
      }
    }
    try {
      contents.add(Integer.toString(kafka(remote).stores()));
    } catch (IOException e) {
      contents.add(String.valueOf(e.getMessage()));
    }
    return contents;
  }

  private String text(String file) throws IOException {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      throw new IOException("the file [" + folder.resolve(file) + "] can't be read: " + e, e);
    }
  }

  private Properties properties(String file) throws IOException {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text(file)));
    } catch (IllegalArgumentException e) {
      throw new IOException("the file [" + file + "] is malformed: " + e.getMessage(), e);
    }
    return properties;
  }

  private String basic(String file) throws IOException {
    Properties properties = properties(file);
    String pair =
        required(properties, file, "username") + ":" + required(properties, file, "password");
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  private static String required(Properties properties, String file, String name)
      throws IOException {
    String value = properties.getProperty(name);
    if (value == null) {
      throw new IOException("the file [" + file + "] lacks [" + name + "]");
    }
    return value;
  }

  private HttpClient secured(RemoteSettings remote) throws IOException {
    RemoteTls tls =
        new RemoteTls(
            contentOf(remote.authoritiesFile()),
            revoked(remote),
            contentOf(remote.certificateFile()));
    synchronized (secured) {
      HttpClient known = secured.get(tls);
      if (known == null) {
        known =
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .sslContext(context(remote, tls))
                .build();
        secured.put(tls, known);
      }
      return known;
    }
  }

  private Revocations revoked(RemoteSettings remote) throws IOException {
    return remote.revocationsFile().isEmpty()
        ? Revocations.NONE
        : revocations.of(
            remote.alias(), text(remote.revocationsFile()), contentOf(remote.authoritiesFile()));
  }

  private String contentOf(String file) throws IOException {
    return file.isEmpty() ? "" : text(file);
  }

  private static SSLContext context(RemoteSettings remote, RemoteTls tls) throws IOException {
    try {
      return tls.context();
    } catch (RemoteTls.MalformedException e) {
      String file = e.ofCertificate() ? remote.certificateFile() : remote.authoritiesFile();
      throw new IOException("the file [" + file + "] has no " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    synchronized (secured) {
      // Requests that were already sent, such as the release of a snapshot, are still completed.
      secured.values().forEach(HttpClient::shutdown);
      secured.clear();
    }
  }
}
