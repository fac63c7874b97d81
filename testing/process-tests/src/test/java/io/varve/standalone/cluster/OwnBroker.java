package io.varve.standalone.cluster;

import io.varve.kafka.FreePorts;
import io.varve.standalone.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A broker as an administrator sets it up: Kafka's own programs, with the properties of
 * docs/operations/kafka-brokers.md.
 */
final class OwnBroker implements AutoCloseable {

  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."), "../../docs/operations/kafka-brokers.md");

  /** The call of {@code kafka-acls.sh} that adds a permission. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "kafka-acls\\.sh --bootstrap-server (\\S+) --command-config admin\\.properties --add"
              + " --allow-principal (\\S+) --operation (\\S+) --(topic|group) (\\S+)"
              + " --resource-pattern-type (literal|prefixed)");

  private final Path certificates;
  private final int port;
  private final Process process;

  private OwnBroker(Path certificates, int port, Process process) {
    this.certificates = certificates;
    this.port = port;
    this.process = process;
  }

  /**
   * @param certificates with the {@code node.pem} and the {@code ca.pem} of a broker
   * @param cluster the name of the cluster in them
   */
  static OwnBroker start(Path folder, Path certificates, String cluster) throws Exception {
    Files.createDirectories(folder);
    int port = FreePorts.next();
    String text =
        block("server.properties")
            .replace("kafka-1:9092", "127.0.0.1:" + port)
            .replace("kafka-1:9093", "127.0.0.1:" + FreePorts.next())
            .replace("/etc/kafka", certificates.toString())
            .replace("/var/lib/kafka", folder.resolve("log").toString())
            .replace("User:books.", "User:" + cluster + ".");
    Path properties =
        Files.writeString(
            folder.resolve("server.properties"), text + "offsets.topic.replication.factor=1\n");
    run(
        folder,
        "kafka.tools.StorageTool",
        "format",
        "-t",
        Uuid.randomUuid().toString(),
        "-c",
        properties.toString());
    List<String> command = ChildJvm.command("kafka.Kafka", "-Xmx384m");
    command.add(properties.toString());
    return new OwnBroker(
        certificates,
        port,
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("broker.log").toFile())
            .start());
  }

  /** The block of the page that begins with this name in a comment. */
  private static String block(String name) throws IOException {
    Matcher block =
        Pattern.compile("```properties\n# " + Pattern.quote(name) + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    if (!block.find()) {
      throw new IOException("the page has no block " + name);
    }
    return block.group(1);
  }

  /** Runs a program to its end; returns what it printed. */
  static String run(Path folder, String mainClass, String... arguments) throws Exception {
    List<String> command = ChildJvm.command(mainClass, "-Xmx128m");
    command.addAll(List.of(arguments));
    Path errors = folder.resolve(mainClass + ".errors");
    Process program = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    program.getOutputStream().close();
    String text = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (program.waitFor() != 0) {
      throw new IOException(mainClass + " failed: " + text + Files.readString(errors));
    }
    return text;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** Carries out the printed commands, one a line, as {@code kafka-acls.sh} does. */
  void permit(String commands) throws Exception {
    List<AclBinding> acls = new ArrayList<>();
    for (String line : commands.lines().toList()) {
      Matcher command = COMMAND.matcher(line);
      if (!command.matches() || !command.group(1).equals(address())) {
        throw new IOException("not a command that adds a permission at this broker: " + line);
      }
      acls.add(acl(command));
    }
    try (Admin admin = Admin.create(administrator())) {
      admin.createAcls(acls).all().get(5, TimeUnit.MINUTES);
    }
  }

  private static AclBinding acl(Matcher command) {
    return new AclBinding(
        new ResourcePattern(
            ResourceType.fromString(command.group(4)),
            command.group(5),
            PatternType.fromString(command.group(6).toUpperCase(Locale.ROOT))),
        new AccessControlEntry(
            command.group(2), "*", operation(command.group(3)), AclPermissionType.ALLOW));
  }

  /** As Kafka's tool reads it: {@code DescribeConfigs}. */
  private static AclOperation operation(String name) {
    return AclOperation.fromString(name.replaceAll("(?<=[a-z])(?=[A-Z])", "_"));
  }

  private Map<String, Object> administrator() throws IOException {
    Map<String, Object> properties = new HashMap<>();
    block("admin.properties")
        .replace("/etc/kafka", certificates.toString())
        .lines()
        .forEach(line -> properties.put(line.split("=", 2)[0], line.split("=", 2)[1]));
    properties.put("bootstrap.servers", address());
    properties.put("default.api.timeout.ms", 300_000);
    return properties;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
  }
}
