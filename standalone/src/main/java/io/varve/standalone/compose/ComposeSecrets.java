package io.varve.standalone.compose;

import static io.varve.standalone.compose.Trees.list;

import io.varve.events.Json;
import io.varve.process.SecretFile;
import io.varve.security.BuiltInRoles;
import io.varve.standalone.FollowerAccess;
import io.varve.tls.CertificateFolder;
import io.varve.tls.ProcessIdentity;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import tools.jackson.databind.node.ObjectNode;

/**
 * The secrets of docker-compose.yml, in a folder that only its owner can enter:
 *
 * <pre>
 *   secrets/s3-access-key, s3-secret-key, grafana-password
 *   secrets/leader/              the first cluster: a {@link CertificateFolder} with a node for each of its
 *                                services, for Prometheus and for the follower
 *   secrets/leader/admin.password
 *   secrets/leader/users.json    the first users, with hashes
 *   secrets/leader/monitor.password
 *   secrets/follower/            the same for the second cluster
 *   secrets/follower/setup.password
 * </pre>
 *
 * <p>Compose mounts a file with the owner and the mode that it has here, and containers run as
 * other users: the files that docker-compose.yml names can be read by all. The others, the
 * authority and the password of {@code admin} among them, have the mode 600 and are not mounted.
 */
public final class ComposeSecrets {

  static final String FOLDER = "secrets";

  private static final int SECRET_BYTES = 20;
  private static final int PASSWORD_BYTES = 24;
  private static final int DAYS = 365;

  /** A certificate that expires earlier is replaced. */
  private static final Duration MIN_LIFE = Duration.ofDays(30);

  private static final String MONITOR = "prometheus";
  private static final String CONSUMER = "follower";
  private static final String SETUP = "setup";
  private static final List<String> PUBLISHED_HOSTS = List.of("localhost", "127.0.0.1", "::1");

  private final ComposeFile file;
  private final Path folder;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final BCryptPasswordEncoder passwords = new BCryptPasswordEncoder();

  /**
   * @param folder of docker-compose.yml
   */
  public ComposeSecrets(
      ComposeFile file, Path folder, InstantSource clock, RandomGenerator random) {
    this.file = file;
    this.folder = folder;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Writes missing files, and replaces certificates that expire soon.
   *
   * @throws IOException a file can't be written, or the certificates are of another cluster
   */
  public void write() throws IOException {
    Path secrets = folder.resolve(FOLDER);
    for (String name : List.of("s3-access-key", "s3-secret-key", "grafana-password")) {
      byte[] secret = new byte[SECRET_BYTES];
      random.nextBytes(secret);
      writeIfMissing(secrets.resolve(name), HexFormat.of().formatHex(secret));
    }
    cluster(secrets.resolve("leader"), false);
    cluster(secrets.resolve("follower"), true);
    mountable();
  }

  private void writeIfMissing(Path path, String content) throws IOException {
    if (!Files.exists(path)) {
      SecretFile.write(path, content);
    }
  }

  private void cluster(Path own, boolean ofFollower) throws IOException {
    CertificateFolder certificates = new CertificateFolder(own, clock);
    String name = clusterName(ofFollower);
    if (!certificates.exists()) {
      certificates.init(name);
    } else if (!certificates.cluster().equals(name)) {
      throw new IOException(
          "[%s] is of the cluster [%s], not of [%s]; move it away for new certificates"
              .formatted(own, certificates.cluster(), name));
    }
    certificates.addRevocations();
    for (ComposeFile.Service service : file.services()) {
      if (service.isOfFollower() == ofFollower && service.kind().isPresent()) {
        certify(certificates, service.name(), service.kind().get(), hosts(service));
      }
    }
    certify(certificates, MONITOR, ServiceKind.MONITOR, List.of());
    if (!ofFollower) {
      certify(certificates, CONSUMER, ServiceKind.CONSUMER, List.of());
    }
    users(own, ofFollower);
  }

  private String clusterName(boolean ofFollower) {
    return file.services().stream()
        .filter(service -> service.isProcess() && service.isOfFollower() == ofFollower)
        .map(service -> service.environment().getOrDefault("VARVE_CLUSTER_NAME", "varve"))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("docker-compose.yml has no processes"));
  }

  private static List<String> hosts(ComposeFile.Service service) {
    List<String> hosts = new ArrayList<>(List.of(service.name()));
    if (!list(service.tree(), "ports").isEmpty()) {
      hosts.addAll(PUBLISHED_HOSTS);
    }
    return hosts;
  }

  private void certify(
      CertificateFolder certificates, String name, ServiceKind kind, List<String> hosts)
      throws IOException {
    if (!certificates.nodes().contains(name)) {
      certificates.add(
          new CertificateFolder.Node(name, kind, ProcessIdentity.newNodeId(), hosts, DAYS));
    } else if (certificates.certified(name).until().isBefore(clock.instant().plus(MIN_LIFE))) {
      certificates.rotate(name, DAYS);
    }
  }

  /** Writes the passwords, and the users that the cluster creates from their hashes. */
  private void users(Path own, boolean ofFollower) throws IOException {
    ObjectNode content = Json.mapper().createObjectNode();
    ObjectNode users = content.putObject("users");
    user(users, BuiltInRoles.ADMIN, BuiltInRoles.ADMIN, password(own, "admin.password"));
    user(users, BuiltInRoles.MONITOR, BuiltInRoles.MONITOR, password(own, "monitor.password"));
    if (ofFollower) {
      user(users, SETUP, SETUP, password(own, "setup.password"));
      content
          .putObject("roles")
          .putObject(SETUP)
          .put("description", "changes settings of the cluster")
          .putArray("cluster_permissions")
          .add("cluster:admin/settings/update");
    } else {
      FollowerAccess follower = FollowerAccess.in(own.resolve("nodes").resolve(CONSUMER));
      user(users, BuiltInRoles.FOLLOWER, BuiltInRoles.FOLLOWER, follower.password());
    }
    writeIfMissing(own.resolve("users.json"), Json.mapper().writeValueAsString(content));
  }

  private String password(Path own, String name) throws IOException {
    Path path = own.resolve(name);
    writeIfMissing(path, SecretFile.random(PASSWORD_BYTES, random));
    return Files.readString(path).strip();
  }

  private void user(ObjectNode users, String name, String role, String password) {
    users
        .putObject(name)
        .put("hash", passwords.encode(password))
        .putArray("opendistro_security_roles")
        .add(role);
  }

  private void mountable() throws IOException {
    for (String path : file.secretFiles().values()) {
      Path secret = folder.resolve(path).normalize();
      if (!Files.exists(secret)) {
        throw new IOException(
            "docker-compose.yml names the secret [" + path + "], which is unknown");
      }
      Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("r--r--r--"));
    }
  }
}
