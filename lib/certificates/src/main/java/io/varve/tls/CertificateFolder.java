package io.varve.tls;

import io.varve.process.Pem;
import io.varve.process.SecretFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder in which an administrator keeps the authority of a cluster and creates the
 * certificates of its processes. Only its owner can read the files:
 *
 * <pre>
 *   authority.pem           key and certificate of the authority; processes do not need it
 *   next-authority.pem      the same of the next authority, while the authority is replaced
 *   old-authority.pem       the same of the previous authority, while it is replaced
 *   ca.pem                  the certificates that processes and clients trust
 *   crl.pem                 the revoked certificates, signed by the authorities that issued them
 *   issued                  the serial numbers of all certificates, with the names of processes
 *   cluster.name
 *   cluster.secret
 *   nodes/NAME/node.pem     key and certificate of a process
 *   nodes/NAME/ca.pem, nodes/NAME/crl.pem, nodes/NAME/cluster.secret
 * </pre>
 *
 * A process needs the files of its own folder below {@code nodes} and no others. The authority is
 * replaced in three steps, each of which must have reached all processes before the next:
 *
 * <pre>
 *   PREPARE   processes also trust the next authority
 *   SWITCH    all certificates are signed by the next authority; the previous one is still trusted
 *   FINISH    the previous authority is no longer trusted
 * </pre>
 */
public final class CertificateFolder {

  /** Key and certificate of a process, in its folder. */
  public static final String NODE_FILE = "node.pem";

  /** The trusted authorities. */
  public static final String TRUST_FILE = "ca.pem";

  /** The revoked certificates. */
  public static final String REVOCATIONS_FILE = "crl.pem";

  private static final String AUTHORITY = "authority.pem";
  private static final String NEXT = "next-authority.pem";
  private static final String OLD = "old-authority.pem";
  private static final String NAME_FILE = "cluster.name";
  private static final String SECRET_FILE = "cluster.secret";
  private static final String ISSUED_FILE = "issued";

  private static final int SECRET_BYTES = 32;
  private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);

  /** Clocks of other machines may be behind. */
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(10);

  /** The steps in which the authority is replaced. */
  public enum Step {
    PREPARE,
    SWITCH,
    FINISH
  }

  /**
   * A process whose certificate is created.
   *
   * @param name of its folder
   * @param hosts names and addresses under which others reach it
   * @param days validity of the certificate
   */
  public record Node(
      String name, ServiceKind service, String nodeId, List<String> hosts, int days) {

    public Node {
      if (!name.matches("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")) {
        throw new IllegalArgumentException(
            "the name must be 1 to 100 letters, digits, '_', '-' or '.', was [" + name + "]");
      }
      if (days < 1 || days > 3650) {
        throw new IllegalArgumentException(
            "a certificate is valid for 1 to 3650 days, not " + days);
      }
      hosts = List.copyOf(hosts);
    }
  }

  /** A certificate in this folder. */
  public record Certified(
      String name,
      BigInteger serial,
      ProcessIdentity identity,
      List<String> hosts,
      Instant from,
      Instant until) {
    public Certified {
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * A revoked certificate.
   *
   * @param name name of the process; empty if the certificate was not created in this folder
   */
  public record Revoked(BigInteger serial, String name, Instant at) {}

  private final Path folder;
  private final InstantSource clock;
  private final IssuedCertificates issued;

  public CertificateFolder(Path folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
    this.issued = new IssuedCertificates(folder.resolve(ISSUED_FILE));
  }

  public boolean exists() {
    return Files.exists(folder.resolve(AUTHORITY));
  }

  /** The folder with the files of a process. */
  public Path of(String node) {
    return folder.resolve("nodes").resolve(node);
  }

  /** The certificates that clients trust. */
  public Path trustFile() {
    return folder.resolve(TRUST_FILE);
  }

  /**
   * Creates the authority and the secret.
   *
   * @throws IOException the folder already has an authority
   */
  public void init(String cluster) throws IOException {
    ProcessIdentity.requireCluster(cluster);
    if (exists()) {
      throw new IOException("[" + folder + "] has an authority already");
    }
    SecretFile.createIfMissing(folder.resolve(SECRET_FILE), SECRET_BYTES, new SecureRandom());
    write(NAME_FILE, cluster + "\n");
    CertificateAuthority authority = newAuthority(cluster);
    write(TRUST_FILE, Pem.of(authority.certificate()));
    write(AUTHORITY, authority.own().pem());
    publish(lists());
  }

  public String cluster() throws IOException {
    return read(NAME_FILE).strip();
  }

  /** Creates a certificate; replaces the one of that name. */
  public void add(Node node) throws IOException {
    ProcessIdentity identity = new ProcessIdentity(cluster(), node.service(), node.nodeId());
    Instant now = clock.instant();
    CertificateAuthority.Issued made =
        authority()
            .issue(
                identity,
                node.hosts(),
                new CertificateAuthority.Validity(
                    now.minus(CLOCK_SKEW), now.plus(Duration.ofDays(node.days()))));
    issued.add(made.certificate().getSerialNumber(), node.name());
    Path own = of(node.name());
    SecretFile.write(own.resolve(SECRET_FILE), read(SECRET_FILE));
    SecretFile.write(own.resolve(TRUST_FILE), read(TRUST_FILE));
    if (Files.exists(revocationsFile())) {
      SecretFile.write(own.resolve(REVOCATIONS_FILE), read(REVOCATIONS_FILE));
    }
    SecretFile.write(own.resolve(NODE_FILE), made.pem());
  }

  /**
   * Creates a new key and certificate for a process that has one, for the same identity and hosts.
   */
  public void rotate(String node, int days) throws IOException {
    Certified before = certified(node);
    add(
        new Node(
            node, before.identity().service(), before.identity().nodeId(), before.hosts(), days));
  }

  /**
   * Revokes certificates, and writes the list of revoked ones for all processes.
   *
   * @param nodeOrSerial the name of a process, for all of its existing certificates but no later
   *     one; or the serial number of one certificate, in hexadecimal
   * @param keepNewest whether the certificate in the folder of the process stays valid
   * @return the certificates that the argument names, including those that were already revoked
   * @throws IOException the argument names no certificate, or the list can't be written
   */
  public List<Revoked> revoke(String nodeOrSerial, boolean keepNewest) throws IOException {
    Set<BigInteger> serials = issued.serials(nodeOrSerial, current());
    if (keepNewest) {
      serials.removeAll(current().keySet());
    }
    if (serials.contains(authority().certificate().getSerialNumber())) {
      throw new IOException(
          "that is the authority, which does not revoke itself; replace it with rotate --authority");
    }
    publish(lists().with(serials, clock.instant()));
    return revoked().stream().filter(one -> serials.contains(one.serial())).toList();
  }

  /** The processes by the serial numbers of their certificates. */
  private Map<BigInteger, String> current() throws IOException {
    Map<BigInteger, String> current = new HashMap<>();
    for (String node : nodes()) {
      current.put(certificate(node).getSerialNumber(), node);
    }
    return current;
  }

  /** All revoked certificates, oldest first. */
  public List<Revoked> revoked() throws IOException {
    Map<BigInteger, String> names = issued.names(current());
    List<Revoked> revoked = new ArrayList<>();
    lists()
        .revoked()
        .forEach(
            (serial, at) -> revoked.add(new Revoked(serial, names.getOrDefault(serial, ""), at)));
    revoked.sort(Comparator.comparing(Revoked::at).thenComparing(Revoked::serial));
    return revoked;
  }

  /** The revoked certificates, for processes; a folder of an earlier version has none. */
  public Path revocationsFile() {
    return folder.resolve(REVOCATIONS_FILE);
  }

  /** Writes a list that revokes nothing, if there is none; an earlier version wrote none. */
  public void addRevocations() throws IOException {
    if (!Files.exists(revocationsFile())) {
      publish(lists());
    }
  }

  private RevokedCertificates lists() throws IOException {
    return RevokedCertificates.of(
        Files.exists(revocationsFile()) ? read(REVOCATIONS_FILE) : null,
        Pem.certificates(read(TRUST_FILE)));
  }

  /** Signs the list by all authorities that have certificates in use. */
  private void publish(RevokedCertificates revoked) throws IOException {
    List<CertificateAuthority> authorities = new ArrayList<>(List.of(authority()));
    if (Files.exists(folder.resolve(OLD))) {
      authorities.add(CertificateAuthority.of(read(OLD)));
    }
    String text = revoked.signed(authorities, clock.instant());
    write(REVOCATIONS_FILE, text);
    for (String node : nodes()) {
      SecretFile.write(of(node).resolve(REVOCATIONS_FILE), text);
    }
  }

  /**
   * Replaces the authority, step by step.
   *
   * @throws IOException this is not the next step
   */
  public void rotateAuthority(Step step, int days) throws IOException {
    boolean prepared = Files.exists(folder.resolve(NEXT));
    boolean switched = Files.exists(folder.resolve(OLD));
    Step next = prepared ? Step.SWITCH : switched ? Step.FINISH : Step.PREPARE;
    if (step != next) {
      throw new IOException("the next step is " + next + ", not " + step);
    }
    switch (step) {
      case PREPARE -> {
        write(NEXT, newAuthority(cluster()).own().pem());
        trust(AUTHORITY, NEXT);
      }
      case SWITCH -> switchAuthority(days);
      case FINISH -> {
        RevokedCertificates revoked = lists();
        trust(AUTHORITY);
        Files.delete(folder.resolve(OLD));
        publish(revoked);
      }
    }
  }

  /** Can be repeated after an interruption. */
  private void switchAuthority(int days) throws IOException {
    if (!Files.exists(folder.resolve(OLD))) {
      write(OLD, authority().own().pem());
    }
    RevokedCertificates revoked = lists();
    trust(NEXT, OLD);
    write(AUTHORITY, read(NEXT));
    publish(revoked);
    for (String node : nodes()) {
      rotate(node, days);
    }
    Files.delete(folder.resolve(NEXT));
  }

  private void trust(String... authorities) throws IOException {
    StringBuilder trusted = new StringBuilder();
    for (String file : authorities) {
      trusted.append(Pem.of(Pem.certificates(read(file)).getFirst()));
    }
    write(TRUST_FILE, trusted.toString());
    for (String node : nodes()) {
      SecretFile.write(of(node).resolve(TRUST_FILE), trusted.toString());
    }
  }

  /** The names of all processes with a certificate. */
  public List<String> nodes() throws IOException {
    Path nodes = folder.resolve("nodes");
    if (!Files.isDirectory(nodes)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(nodes)) {
      return folders
          .filter(node -> Files.exists(node.resolve(NODE_FILE)))
          .map(node -> node.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  public Certified certified(String node) throws IOException {
    Path file = of(node).resolve(NODE_FILE);
    if (!Files.exists(file)) {
      throw new IOException("[" + node + "] has no certificate");
    }
    X509Certificate certificate = certificate(node);
    return new Certified(
        node,
        certificate.getSerialNumber(),
        ProcessIdentity.of(certificate)
            .orElseThrow(
                () -> new IOException("the certificate of [" + node + "] names no process")),
        CertifiedHosts.of(certificate),
        certificate.getNotBefore().toInstant(),
        certificate.getNotAfter().toInstant());
  }

  private X509Certificate certificate(String node) throws IOException {
    return Pem.certificates(Files.readString(of(node).resolve(NODE_FILE))).getFirst();
  }

  /** The end of the validity of the authority. */
  public Instant authorityUntil() throws IOException {
    return authority().certificate().getNotAfter().toInstant();
  }

  private CertificateAuthority newAuthority(String cluster) {
    Instant now = clock.instant();
    return CertificateAuthority.create(
        cluster,
        new CertificateAuthority.Validity(now.minus(CLOCK_SKEW), now.plus(AUTHORITY_LIFE)));
  }

  /**
   * @throws IOException there is no authority, or it can't be read
   */
  public CertificateAuthority authority() throws IOException {
    return CertificateAuthority.of(read(AUTHORITY));
  }

  private String read(String file) throws IOException {
    if (!exists()) {
      throw new IOException("[" + folder + "] has no authority; create it with init");
    }
    return Files.readString(folder.resolve(file));
  }

  private void write(String file, String content) throws IOException {
    SecretFile.write(folder.resolve(file), content);
  }
}
