package io.varve.standalone.security;

import io.varve.kafka.BrokerAcls;
import io.varve.log.kafka.KafkaSecurity;
import io.varve.standalone.CommandLines;
import io.varve.standalone.IntRange;
import io.varve.standalone.KafkaAcls;
import io.varve.standalone.SecurityFolder;
import io.varve.tls.CertificateFolder;
import io.varve.tls.ProcessIdentity;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code varve security}: creates the authority of a cluster and the certificates of its processes
 * in a folder on the administrator's machine. The administrator copies the files of a process to
 * its machine; a running process uses changed files without a restart. {@code scan} scans the
 * libraries for vulnerabilities.
 */
@Command(
    name = "varve security",
    description = "Creates the certificates of a cluster, and scans the libraries.",
    sortOptions = false)
public final class SecurityTool {

  /** {@code status} marks a certificate that expires earlier, and then exits with code 1. */
  private static final Duration SOON = Duration.ofDays(30);

  private final InstantSource clock;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      defaultValue = "security",
      scope = CommandLine.ScopeType.INHERIT,
      description = "folder of the authority and the certificates (default: ${DEFAULT-VALUE})")
  private Path folder = Path.of("security");

  private SecurityTool(InstantSource clock) {
    this.clock = clock;
  }

  /** Each error is one line on standard error. */
  static CommandLine commandLine(InstantSource clock, String... arguments) {
    return CommandLines.of(new SecurityTool(clock), List.of(), arguments)
        .setExecutionExceptionHandler((failure, line, _) -> {
          line.getErr().println("varve: " + failure.getMessage());
          return line.getCommandSpec().exitCodeOnExecutionException();
        });
  }

  public static void main(String[] arguments) {
    System.exit(commandLine(InstantSource.system(), arguments).execute(arguments));
  }

  private CertificateFolder certificates() {
    return new CertificateFolder(folder.toAbsolutePath().normalize(), clock);
  }

  @Command(name = "init", description = "creates the authority and the secret of a cluster")
  int init(
      @Option(
              names = "--cluster",
              paramLabel = "NAME",
              defaultValue = "varve",
              description = "varve.cluster-name (default: ${DEFAULT-VALUE})")
          String cluster)
      throws IOException {
    certificates().init(cluster);
    System.out.println("the authority of the cluster " + cluster + " is in " + folder);
    return 0;
  }

  @Command(name = "add-node", description = "creates the certificate of a process")
  int addNode(
      @Parameters(paramLabel = "NAME", description = "name of the process") String name,
      @Option(
              names = "--service",
              required = true,
              converter = Kind.class,
              paramLabel = "SERVICE",
              description =
                  "coordinator, shard-service, replication-service, ccr-follower, broker, monitor or"
                      + " consumer")
          ServiceKind service,
      @Option(
              names = "--host",
              paramLabel = "HOST",
              description = "name or address of its host; repeat for several")
          String @Nullable [] hosts,
      @Option(
              names = "--data",
              paramLabel = "DIR",
              description = "its data folder, to keep the id in it (default: a new id)")
          @Nullable Path data,
      @Option(
              names = "--days",
              converter = Days.class,
              defaultValue = "365",
              description = "validity of the certificate (default: ${DEFAULT-VALUE})")
          int days)
      throws IOException {
    String nodeId = data == null ? ProcessIdentity.newNodeId() : SecurityFolder.nodeId(data);
    List<String> reached = hosts == null ? List.of() : List.of(hosts);
    if (reached.isEmpty() && service.isServer()) {
      throw new IllegalArgumentException("a process that is called needs --host");
    }
    CertificateFolder certificates = certificates();
    if (certificates.nodes().contains(name)) {
      throw new IllegalArgumentException(
          "[" + name + "] has a certificate; use rotate for a new one");
    }
    certificates.add(new CertificateFolder.Node(name, service, nodeId, reached, days));
    System.out.println("copy " + certificates.of(name) + " to the machine of " + name);
    return 0;
  }

  @Command(
      name = "rotate",
      description = "creates new keys and certificates, or replaces the authority in three steps")
  int rotate(
      @Parameters(
              paramLabel = "NAME",
              arity = "0..*",
              description = "names of the processes (default: all)")
          String @Nullable [] names,
      @Option(
              names = "--authority",
              paramLabel = "prepare|switch|finish",
              description =
                  "the next step; all processes must have the files of the step before it")
          CertificateFolder.@Nullable Step step,
      @Option(
              names = "--days",
              converter = Days.class,
              defaultValue = "365",
              description = "validity of the certificates (default: ${DEFAULT-VALUE})")
          int days)
      throws IOException {
    CertificateFolder certificates = certificates();
    if (step != null) {
      certificates.rotateAuthority(step, days);
    } else {
      for (String name : names == null ? certificates.nodes() : Arrays.asList(names)) {
        certificates.rotate(name, days);
      }
    }
    System.out.println("copy the changed files below " + certificates.of("") + " to the machines");
    return 0;
  }

  @Command(
      name = "revoke",
      description = {
        "revokes the certificates of a process, or a single one, for example after a key was stolen;",
        "certificates that rotate creates after this are valid"
      })
  int revoke(
      @Parameters(
              paramLabel = "NODE_OR_SERIAL",
              description =
                  "name of a process: all its certificates so far; or the serial number of one, in"
                      + " hexadecimal")
          String nodeOrSerial,
      @Option(
              names = "--keep-newest",
              description = "except the current certificate in the folder of the process")
          boolean keepNewest)
      throws IOException {
    CertificateFolder certificates = certificates();
    List<CertificateFolder.Revoked> revoked = certificates.revoke(nodeOrSerial, keepNewest);
    revoked.forEach(one -> System.out.println(row(one)));
    System.out.println(
        "copy %s below %s to all machines; a running process uses it without a restart"
            .formatted(CertificateFolder.REVOCATIONS_FILE, certificates.of("")));
    for (String name : keepNewest ? List.<String>of() : names(revoked)) {
      ProcessIdentity identity = certificates.certified(name).identity();
      System.out.printf(
          "brokers that are not Varve's: put this before their ssl.principal.mapping.rules, restart"
              + " them, and use another node id for a new certificate:%n  %s%n",
          KafkaAcls.nobody(identity));
    }
    return 0;
  }

  private List<String> names(List<CertificateFolder.Revoked> revoked) throws IOException {
    List<String> nodes = certificates().nodes();
    return revoked.stream()
        .map(CertificateFolder.Revoked::name)
        .distinct()
        .filter(nodes::contains)
        .toList();
  }

  private static String row(CertificateFolder.Revoked one) {
    return "revoked %s %s %s"
        .formatted(
            one.at().truncatedTo(ChronoUnit.SECONDS),
            one.serial().toString(16),
            one.name().isEmpty() ? "(not made in this folder)" : one.name());
  }

  @Command(
      name = "acls",
      description =
          "prints the commands that grant the services their permissions at Kafka brokers")
  int acls(
      @Option(
              names = "--cluster",
              paramLabel = "NAME",
              description = "varve.cluster-name (default: that of the authority)")
          @Nullable String cluster,
      @Option(
              names = "--bootstrap-server",
              paramLabel = "HOST:PORT",
              defaultValue = "localhost:9092",
              description = "addresses of one or several brokers (default: ${DEFAULT-VALUE})")
          String brokers,
      @Option(
              names = "--create-with",
              paramLabel = "DIR",
              description =
                  "creates them instead, with the node.pem and the ca.pem of a broker in this"
                      + " folder")
          @Nullable Path broker)
      throws IOException, ExecutionException, TimeoutException, InterruptedException {
    KafkaAcls acls = new KafkaAcls(cluster == null ? certificates().cluster() : cluster);
    if (broker == null) {
      acls.all().forEach(acl -> System.out.println(acl.command(brokers)));
    } else {
      BrokerAcls.create(client(brokers, broker), acls.all());
      System.out.println("the services have their permissions at " + brokers);
    }
    return 0;
  }

  private static Map<String, String> client(String brokers, Path files) {
    Map<String, String> properties =
        new HashMap<>(
            KafkaSecurity.tls(
                    new KafkaSecurity.PemFiles(
                        files.resolve(CertificateFolder.NODE_FILE),
                        files.resolve(CertificateFolder.TRUST_FILE),
                        files.resolve(CertificateFolder.REVOCATIONS_FILE)))
                .properties());
    properties.put("bootstrap.servers", brokers);
    return properties;
  }

  @Command(
      name = "status",
      description = "lists all certificates, also revoked ones; fails if one expires in 30 days")
  int status() throws IOException {
    CertificateFolder certificates = certificates();
    Instant limit = clock.instant().plus(SOON);
    boolean endsSoon = certificates.authorityUntil().isBefore(limit);
    System.out.printf("%-20s %-20s %-24s %-22s %s%n", "name", "service", "node", "until", "hosts");
    System.out.println(
        row("authority", "", certificates.cluster(), certificates.authorityUntil(), "", limit));
    List<CertificateFolder.Revoked> revoked = certificates.revoked();
    for (String name : certificates.nodes()) {
      CertificateFolder.Certified one = certificates.certified(name);
      endsSoon |= one.until().isBefore(limit);
      boolean isRevoked = revoked.stream().anyMatch(other -> other.serial().equals(one.serial()));
      System.out.println(
          row(
                  name,
                  one.identity().service().text(),
                  one.identity().nodeId(),
                  one.until(),
                  one.hosts().stream().collect(Collectors.joining(",")),
                  limit)
              + (isRevoked ? " revoked" : ""));
    }
    revoked.forEach(one -> System.out.println(row(one)));
    return endsSoon ? 1 : 0;
  }

  @Command(
      name = "scan",
      description = {
        "scans the libraries for known vulnerabilities, with osv-scanner or trivy; the exit code",
        "is 0 for none, 1 for some, 2 for a failure of the scanner, 3 if nothing was scanned"
      })
  int scan(
      @Option(
              names = "--sbom",
              paramLabel = "FILE",
              description = "in CycloneDX's format (default: that of this build)")
          @Nullable Path sbom)
      throws IOException, InterruptedException {
    String path = System.getenv().getOrDefault("PATH", "");
    SbomScan.Outcome outcome =
        new SbomScan(path, System.out).run(sbom == null ? sbomOfBuild() : sbom);
    switch (outcome) {
      case SbomScan.Outcome.Clean() -> System.out.println("no known vulnerability");
      case SbomScan.Outcome.Vulnerable() -> System.out.println("there are known vulnerabilities");
      case SbomScan.Outcome.Failed(String reason) -> System.err.println("varve: " + reason);
      case SbomScan.Outcome.Skipped(String reason) ->
          System.err.println("varve: nothing was scanned: " + reason);
    }
    return outcome.exitCode();
  }

  /** Next to the folder of the jars; {@code varve.home} is set by the launcher. */
  private static Path sbomOfBuild() {
    return Path.of(
        System.getProperty("varve.home", "."), "standalone", "target", "dist", "varve.cdx.json");
  }

  private static String row(
      String name, String service, String node, Instant until, String hosts, Instant limit) {
    String mark = until.isBefore(limit) ? " ends soon" : "";
    return "%-20s %-20s %-24s %-22s %s%s".formatted(name, service, node, until, hosts, mark);
  }

  /** The kind of a service. */
  static final class Kind implements ITypeConverter<ServiceKind> {
    @Override
    public ServiceKind convert(String value) {
      Optional<ServiceKind> kind = ServiceKind.of(value);
      return kind.orElseThrow(() ->
          new TypeConversionException(
              "must be one of "
                  + Arrays.stream(ServiceKind.values())
                      .map(ServiceKind::text)
                      .collect(Collectors.joining(", "))
                  + ", was "
                  + value));
    }
  }

  /** The validity of a certificate. */
  static final class Days extends IntRange {
    Days() {
      super(1, 3650);
    }
  }
}
