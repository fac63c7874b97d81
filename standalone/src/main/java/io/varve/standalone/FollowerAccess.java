package io.varve.standalone;

import io.varve.events.Json;
import io.varve.process.SecretFile;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Properties;
import tools.jackson.databind.node.ObjectNode;

/**
 * The files that a second cluster on this machine needs to follow a secured one: the certificate of
 * a consumer, a user with the role {@code follower}, and the properties of Kafka's clients. They
 * are in the security folder of the leader, so that new certificates also reach the follower:
 *
 * <pre>
 *   security/nodes/follower/node.pem, ca.pem, crl.pem
 *   security/nodes/follower/user.properties
 *   security/nodes/follower/kafka.properties
 * </pre>
 */
public final class FollowerAccess {

  private static final String NAME = "follower";
  private static final String USER_FILE = "user.properties";
  private static final String KAFKA_FILE = "kafka.properties";
  private static final int PASSWORD_BYTES = 24;

  private final Path folder;

  private FollowerAccess(Path folder) {
    this.folder = folder;
  }

  /**
   * Writes the files that are missing.
   *
   * @param leaderData the data folder of the cluster to follow
   * @param shared the arguments of all its services, which may name the cluster
   */
  public static FollowerAccess of(Path leaderData, List<String> shared) throws IOException {
    Path folder =
        new SecurityFolder(leaderData)
            .files(NAME, ServiceKind.CONSUMER, leaderData.resolve(NAME), shared);
    return in(folder);
  }

  /**
   * Writes the files that are missing.
   *
   * @param folder the folder with the certificate of a consumer
   */
  public static FollowerAccess in(Path folder) throws IOException {
    if (!Files.exists(folder.resolve(USER_FILE))) {
      SecretFile.write(
          folder.resolve(USER_FILE),
          "username=%s\npassword=%s\n"
              .formatted(NAME, SecretFile.random(PASSWORD_BYTES, new SecureRandom())));
    }
    SecretFile.write(
        folder.resolve(KAFKA_FILE),
        """
        security.protocol=SSL
        ssl.keystore.type=PEM
        ssl.keystore.location=node.pem
        ssl.truststore.type=PEM
        ssl.truststore.location=ca.pem
        ssl.revocations.location=crl.pem
        """);
    return new FollowerAccess(folder);
  }

  /** The password of the user, whose name is {@code follower}. */
  public String password() throws IOException {
    Properties user = new Properties();
    user.load(new StringReader(Files.readString(folder.resolve(USER_FILE))));
    return user.getProperty("password");
  }

  /** The arguments of each service of the follower. */
  public List<String> arguments() {
    return List.of("--varve.remote-files=" + folder, "--varve.remote-addresses=127.0.0.1:*");
  }

  /** Creates the user, or sets its password to that of the file. */
  public void createUser(RestCalls leader) throws IOException {
    ObjectNode body = Json.mapper().createObjectNode();
    body.put("password", password());
    body.putArray("opendistro_security_roles").add("follower");
    leader.call("PUT", "/_plugins/_security/api/internalusers/" + NAME, body.toString()).orThrow();
  }

  /**
   * Adds the settings with which the follower reaches the leader.
   *
   * @param alias the alias of the leader
   */
  public static void addTo(ObjectNode persistent, String alias) {
    String prefix = "cluster.remote." + alias + ".";
    persistent
        .put(prefix + "tls.enabled", "true")
        .put(prefix + "tls.certificate_authorities_file", "ca.pem")
        .put(prefix + "tls.revocations_file", "crl.pem")
        .put(prefix + "tls.certificate_file", "node.pem")
        .put(prefix + "credentials_file", USER_FILE)
        .put(prefix + "kafka.properties_file", KAFKA_FILE);
  }
}
