package io.varve.standalone.cluster;

import io.varve.standalone.ChildJvm;
import io.varve.standalone.compose.ComposeFile;
import io.varve.standalone.compose.ComposeSecrets;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/**
 * Services of docker-compose.yml as processes of this machine, with the environment, the commands
 * and the secrets that Compose would give to containers. What differs:
 *
 * <ul>
 *   <li>The paths of a container are folders of its own below {@code containers}.
 *   <li>A service has a loopback address of its own, which a hosts file of the JVM maps to its
 *       name; brokers bind this address instead of all.
 *   <li>All brokers share a process, and the S3 server is one in this JVM.
 * </ul>
 */
final class ComposedProcesses implements AutoCloseable {

  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."), "../..").toAbsolutePath().normalize();
  private static final List<String> PATHS = List.of("/run/varve", "/run/secrets", "/var/lib/varve");
  private static final String VARIABLE = "KAFKA_";

  /** The result of a program. */
  record Ran(int code, String text) {}

  private final Path folder;
  private final ComposeFile file;
  private final Map<String, String> addresses = new LinkedHashMap<>();
  private final Map<String, Process> processes = new LinkedHashMap<>();
  private final Path hosts;
  private final S3Proxy s3;

  ComposedProcesses(Path folder) throws Exception {
    this.folder = folder;
    this.file = ComposeFile.read(ROOT.resolve("docker-compose.yml"), _ -> null);
    new ComposeSecrets(file, folder, InstantSource.system(), new SecureRandom()).write();
    StringBuilder names = new StringBuilder("127.0.0.1 localhost\n");
    names.append("127.0.0.1 ").append(InetAddress.getLocalHost().getHostName()).append('\n');
    for (ComposeFile.Service service : file.services()) {
      String address = "127.0.1." + (addresses.size() + 1);
      addresses.put(service.name(), address);
      names.append(address).append(' ').append(service.name()).append('\n');
    }
    this.hosts = Files.writeString(folder.resolve("hosts"), names);
    this.s3 = startS3();
  }

  private S3Proxy startS3() throws Exception {
    Path objects = Files.createDirectories(folder.resolve("s3"));
    S3Proxy server =
        S3Proxy.builder()
            .blobStore(new FilesystemNio2BlobStore(objects.toString()))
            .endpoint(URI.create("http://" + address("s3") + ":9000"))
            .awsAuthentication(
                AuthenticationType.AWS_V4, secret("s3-access-key"), secret("s3-secret-key"))
            .build();
    server.start();
    return server;
  }

  /** The loopback address of a service. */
  String address(String service) {
    return addresses.get(service);
  }

  /** A file below the folder {@code secrets}. */
  Path secretFile(String path) {
    return folder.resolve("secrets").resolve(path);
  }

  String secret(String path) throws IOException {
    return Files.readString(secretFile(path)).strip();
  }

  /** The path that a path in the container of a service has here. */
  String local(String service, String text) {
    String local = text;
    for (String path : PATHS) {
      local = local.replace(path, folder.resolve("containers").resolve(service) + path);
    }
    return local;
  }

  private Map<String, String> environment(ComposeFile.Service service) {
    Map<String, String> environment = new LinkedHashMap<>();
    service
        .environment()
        .forEach((name, value) -> environment.put(name, local(service.name(), value)));
    return environment;
  }

  /** Puts the secrets of a service where it looks for them, with their modes. */
  private ComposeFile.Service mount(String name) throws IOException {
    ComposeFile.Service service = file.service(name);
    for (Map.Entry<String, String> secret : service.secrets().entrySet()) {
      Path target = Path.of(local(name, secret.getKey()));
      Files.createDirectories(target.getParent());
      Files.copy(
          folder.resolve(file.secretFiles().get(secret.getValue())),
          target,
          StandardCopyOption.COPY_ATTRIBUTES,
          StandardCopyOption.REPLACE_EXISTING);
    }
    return service;
  }

  /** Starts brokers, which share a process. */
  void startBrokers(String... names) throws IOException {
    List<String> folders = new ArrayList<>();
    for (String name : names) {
      ComposeFile.Service service = mount(name);
      Properties properties = new Properties();
      environment(service)
          .forEach((variable, value) -> {
            if (variable.startsWith(VARIABLE) && !variable.equals("KAFKA_HEAP_OPTS")) {
              properties.put(property(variable), value.replace("://:", "://" + name + ":"));
            }
          });
      StringWriter text = new StringWriter();
      properties.store(text, null);
      Path own = Files.createDirectories(folder.resolve("brokers").resolve(name));
      Files.writeString(own.resolve(ComposedBrokers.PROPERTIES), text.toString());
      folders.add(own.toString());
    }
    List<String> command = new ArrayList<>(jvm("-Xmx768m", ComposedBrokers.class.getName()));
    command.addAll(folders);
    start("brokers", new ProcessBuilder(command));
  }

  /** As the image of the brokers names it. */
  private static String property(String variable) {
    return variable.substring(VARIABLE.length()).toLowerCase(Locale.ROOT).replace('_', '.');
  }

  /** The command line of a child of this JVM, which knows the names of the services. */
  private List<String> jvm(String heap, String mainClass) {
    List<String> command =
        new ArrayList<>(
            ChildJvm.command(Child.class.getName(), "-Djdk.net.hosts.file=" + hosts, heap));
    int classPath = command.indexOf("-cp") + 1;
    command.set(
        classPath,
        Path.of(ComposedBrokers.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            + ":"
            + command.get(classPath));
    command.add(mainClass);
    return command;
  }

  /** Starts a service of Varve. */
  void start(String name) throws IOException {
    ComposeFile.Service service = mount(name);
    start(name, command(service));
  }

  private ProcessBuilder command(ComposeFile.Service service) {
    List<String> words = service.command();
    List<String> command = new ArrayList<>(jvm("-Xmx256m", words.getFirst()));
    words.subList(1, words.size()).forEach(word -> command.add(local(service.name(), word)));
    ProcessBuilder process = new ProcessBuilder(command);
    process.environment().putAll(environment(service));
    return process;
  }

  private void start(String name, ProcessBuilder process) throws IOException {
    Path log = Files.createDirectories(folder.resolve("logs")).resolve(name + ".log");
    processes.put(name, process.redirectErrorStream(true).redirectOutput(log.toFile()).start());
  }

  /** Runs a service of Varve that ends. */
  Ran runToItsEnd(String name) throws Exception {
    return run(command(mount(name)));
  }

  /** Whether the health check of a service succeeds. */
  boolean isHealthy(String name) throws Exception {
    ComposeFile.Service service = file.service(name);
    Map<?, ?> check = (Map<?, ?>) service.tree().get("healthcheck");
    List<?> test = (List<?>) check.get("test");
    return run(shell(service, String.valueOf(test.getLast()))).code() == 0;
  }

  /** Runs the script of a service that has one as its command. */
  Ran runScript(String name) throws Exception {
    ComposeFile.Service service = mount(name);
    return run(shell(service, service.command().getFirst()));
  }

  /** A shell does not know the names of the services. */
  private ProcessBuilder shell(ComposeFile.Service service, String script) {
    String here = local(service.name(), script);
    for (Map.Entry<String, String> other : addresses.entrySet()) {
      here = here.replace("-connect " + other.getKey() + ":", "-connect " + other.getValue() + ":");
    }
    here = here.replace("-connect $VARVE_HOST:", "-connect " + address(service.name()) + ":");
    ProcessBuilder process = new ProcessBuilder("bash", "-c", here);
    process.environment().putAll(environment(service));
    return process;
  }

  /** Calls a service as the user of a host does. */
  Ran curl(String service, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("curl", "--silent", "--show-error", "--max-time", "120"));
    command.addAll(List.of("--connect-to", service + "::" + address(service) + ":"));
    command.addAll(List.of(arguments));
    return run(new ProcessBuilder(command));
  }

  private static Ran run(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    try {
      // A child of this JVM ends when its standard input does.
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ran(process.waitFor(), text);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Throws if a process has ended. */
  void requireAlive() throws IOException {
    for (Map.Entry<String, Process> process : processes.entrySet()) {
      if (!process.getValue().isAlive()) {
        throw new IllegalStateException(process.getKey() + " has ended: " + log(process.getKey()));
      }
    }
  }

  String log(String name) throws IOException {
    return Files.readString(folder.resolve("logs").resolve(name + ".log"));
  }

  @Override
  public void close() throws Exception {
    for (Process process : new ArrayList<>(processes.values()).reversed()) {
      process.destroy();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
    s3.stop();
  }
}
