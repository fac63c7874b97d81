package io.varve.standalone;

import io.varve.events.Json;
import io.varve.process.Pem;
import io.varve.tls.CertificateFolder;
import io.varve.tls.ProcessIdentity;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The folder {@code security} in the data folder of a secured cluster on this machine: the
 * certificates of its processes, which are created if they are missing, and {@code admin.password},
 * which a coordinator writes.
 */
public final class SecurityFolder {

  /** The suffix that names the port of a process for other processes. */
  public static final String INTERNAL = "-internal";

  private static final List<String> HOSTS = List.of("127.0.0.1", "::1", "localhost");
  private static final int DAYS = 365;

  /** A certificate that expires earlier is replaced at a start. */
  private static final Duration MIN_LIFE = Duration.ofDays(30);

  private static final String CLUSTER_NAME = "--varve.cluster-name=";

  private final Path folder;
  private final InstantSource clock;
  private final CertificateFolder certificates;

  /**
   * @param data the data folder of the cluster
   */
  public SecurityFolder(Path data) {
    this(data, InstantSource.system());
  }

  SecurityFolder(Path data, InstantSource clock) {
    this.folder = data.resolve("security");
    this.clock = clock;
    this.certificates = new CertificateFolder(folder, clock);
  }

  /**
   * A process of the cluster.
   *
   * @param data its data folder
   * @param internalPort its port for other processes
   */
  public record Member(String name, ServiceKind service, Path data, int internalPort) {}

  public Path adminPasswordFile() {
    return folder.resolve("admin.password");
  }

  /** The certificates that clients trust. */
  public Path trustFile() {
    return certificates.trustFile();
  }

  /**
   * Creates the certificate of a process unless it has one; returns its arguments.
   *
   * @param shared the arguments of all processes, which may name the cluster
   */
  public List<String> arguments(Member member, List<String> shared) throws IOException {
    Path files = files(member.name(), member.service(), member.data(), shared);
    return List.of(
        "--varve.security.enabled=true",
        "--varve.security.cluster-secret-file=" + files.resolve("cluster.secret"),
        "--varve.security.folder=" + folder,
        "--varve.security.tls.folder=" + files,
        "--varve.security.tls.internal-port=" + member.internalPort());
  }

  /**
   * Creates the certificate of a broker unless it has one, and writes its configuration; returns
   * the folder of both.
   *
   * @param shared the arguments of all services, which may name the cluster
   */
  public Path broker(String name, Path data, List<String> shared) throws IOException {
    Path files = files(name, ServiceKind.BROKER, data, shared);
    BrokerFiles.write(files, certificates.cluster());
    return files;
  }

  /**
   * Creates the authority unless there is one.
   *
   * @param shared the arguments of all services, which may name the cluster
   */
  public void prepare(List<String> shared) throws IOException {
    if (!certificates.exists()) {
      certificates.init(clusterName(shared));
    }
    certificates.addRevocations();
  }

  /** Creates the certificate of a process unless it has one; returns the folder of its files. */
  Path files(String name, ServiceKind service, Path data, List<String> shared) throws IOException {
    prepare(shared);
    if (!certificates.nodes().contains(name)) {
      certificates.add(new CertificateFolder.Node(name, service, nodeId(data), HOSTS, DAYS));
    } else if (certificates.certified(name).until().isBefore(clock.instant().plus(MIN_LIFE))) {
      certificates.rotate(name, DAYS);
    }
    return certificates.of(name);
  }

  private static String clusterName(List<String> arguments) {
    return arguments.stream()
        .filter(argument -> argument.startsWith(CLUSTER_NAME))
        .map(argument -> argument.substring(CLUSTER_NAME.length()))
        .reduce("varve", (_, last) -> last);
  }

  /** The id in the data folder of a node, or a new one. */
  public static String nodeId(Path data) throws IOException {
    Path file = data.resolve("node.json");
    return Files.exists(file)
        ? Json.mapper().readTree(Files.readAllBytes(file)).path("nodeId").asString("")
        : ProcessIdentity.newNodeId();
  }

  /** Access as the user admin, once its password is written. */
  public RestAccess access() throws IOException {
    return new RestAccess(this::authorization, Optional.of(trusting()));
  }

  private Optional<String> authorization() {
    try {
      return Optional.of(RestCalls.basic("admin", Files.readString(adminPasswordFile()).strip()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The context of clients of this cluster. */
  public SSLContext trusting() throws IOException {
    return Pem.trusting(trustFile());
  }
}
