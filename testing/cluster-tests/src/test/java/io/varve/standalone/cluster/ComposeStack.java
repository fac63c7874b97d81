package io.varve.standalone.cluster;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import io.varve.kafka.FreePorts;
import io.varve.process.Pem;
import io.varve.standalone.RestAccess;
import io.varve.standalone.RestCalls;
import io.varve.standalone.compose.ComposeFile;
import io.varve.standalone.compose.ComposeSecrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ComposeContainer;
import org.testcontainers.containers.Container;
import org.testcontainers.containers.ContainerState;

/**
 * The containers of docker-compose.yml with the profile {@code follower}, started by Compose from
 * an image that it builds. A second file gives them ports and secrets of the test, so that they run
 * beside a stack that is already there. System properties choose other images, or leave services
 * out:
 *
 * <pre>
 *   varve.docker.kafka-image, s3-image, prometheus-image, grafana-image, image
 *   varve.docker.without   names of services, separated by commas
 * </pre>
 */
final class ComposeStack implements AutoCloseable {

  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."), "../..").toAbsolutePath().normalize();
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);

  private final Path folder;
  private final ComposeFile file;
  private final Map<String, Map<?, ?>> services = new LinkedHashMap<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();
  private final Map<String, RestCalls> clients = new LinkedHashMap<>();
  private final Set<String> left =
      Set.of(System.getProperty("varve.docker.without", "").split(","));
  private final ComposeContainer containers;

  /** Starts all containers, and returns when Compose has started them in their order. */
  ComposeStack(Path folder) throws IOException {
    this.folder = folder;
    this.file = ComposeFile.read(ROOT.resolve("docker-compose.yml"), System::getenv);
    file.services().forEach(service -> services.put(service.name(), service.tree()));
    new ComposeSecrets(file, folder, InstantSource.system(), new SecureRandom()).write();
    Path changes = Files.writeString(folder.resolve("docker-compose.test.yml"), changes());
    containers =
        new ComposeContainer(
                "varve", List.of(ROOT.resolve("docker-compose.yml").toFile(), changes.toFile()))
            .withPull(false)
            .withBuild(System.getProperty("varve.docker.image") == null)
            .withEnv("COMPOSE_PROFILES", "follower");
    containers.start();
  }

  /** The file that Compose merges with docker-compose.yml. */
  private String changes() throws IOException {
    StringBuilder yaml = new StringBuilder("services:\n");
    for (Map.Entry<String, Map<?, ?>> service : services.entrySet()) {
      String name = service.getKey();
      yaml.append("  ").append(name).append(":\n    labels: { io.varve.test: compose }\n");
      String image =
          System.getProperty(imageProperty(String.valueOf(service.getValue().get("image"))));
      if (image != null) {
        yaml.append("    image: ").append(image).append('\n');
      }
      if (service.getValue().get("ports") instanceof List<?> published) {
        String port = String.valueOf(published.getFirst());
        ports.put(name, FreePorts.next());
        yaml.append(
            "    ports: !override [\"127.0.0.1:%d:%s\"]%n"
                .formatted(ports.get(name), port.substring(port.lastIndexOf(':') + 1)));
      }
      if (left.contains(name)) {
        yaml.append("    profiles: [left-out]\n");
      }
    }
    yaml.append("secrets:\n");
    file.secretFiles()
        .forEach((secret, path) ->
            yaml.append(
                "  %s: { file: %s }%n".formatted(secret, folder.resolve(path).normalize())));
    return yaml.toString();
  }

  /** {@code apache/kafka:4.2.1} can be replaced with {@code varve.docker.kafka-image}. */
  private static String imageProperty(String image) {
    String name = image.substring(image.lastIndexOf('/') + 1).replaceFirst(":.*", "");
    return switch (name) {
      case "versitygw" -> "varve.docker.s3-image";
      case "varve" -> "varve.docker.image";
      default -> "varve.docker." + name + "-image";
    };
  }

  /** Returns the names of the services that stay up. */
  List<String> names() {
    return services.entrySet().stream()
        .filter(service -> "unless-stopped".equals(service.getValue().get("restart")))
        .map(Map.Entry::getKey)
        .filter(name -> !left.contains(name))
        .toList();
  }

  /** Returns the names of the services that run Varve. */
  List<String> processes() {
    return names().stream()
        .filter(name -> String.valueOf(services.get(name).get("image")).startsWith("varve:"))
        .toList();
  }

  boolean has(String name) {
    return names().contains(name);
  }

  /** Returns a client of the published port of a service; of a coordinator, as the user admin. */
  RestCalls rest(String service) {
    return clients.computeIfAbsent(service, this::client);
  }

  private RestCalls client(String service) {
    String address = "127.0.0.1:" + ports.get(service);
    if (!service.contains("coordinator")) {
      return new RestCalls("http://" + address);
    }
    Path cluster =
        folder.resolve("secrets").resolve(service.startsWith("follower-") ? "follower" : "leader");
    try {
      String password = Files.readString(cluster.resolve("admin.password")).strip();
      return new RestCalls(
          "https://" + address,
          CALL_TIMEOUT,
          new RestAccess(
              () -> Optional.of(RestCalls.basic("admin", password)),
              Optional.of(Pem.trusting(cluster.resolve("ca.pem")))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ContainerState container(String service) {
    return containers.getContainerByServiceName(service + "-1").orElseThrow();
  }

  boolean isHealthy(String service) {
    return container(service).isHealthy();
  }

  InspectContainerResponse inspect(String service) {
    return container(service).getCurrentContainerInfo();
  }

  /** Runs a command in the container of a service, and returns its output. */
  String run(String service, String... command) throws Exception {
    Container.ExecResult result = container(service).execInContainer(command);
    if (result.getExitCode() != 0) {
      throw new IllegalStateException(
          Stream.of(command).collect(Collectors.joining(" ")) + ": " + result);
    }
    return result.getStdout();
  }

  void kill(String service) {
    docker().killContainerCmd(container(service).getContainerId()).exec();
  }

  void start(String service) {
    docker().startContainerCmd(container(service).getContainerId()).exec();
  }

  /**
   * Sends SIGTERM to a container, waits for its end at most for the grace period, then kills it.
   */
  void stop(String service) {
    docker().stopContainerCmd(container(service).getContainerId()).exec();
  }

  private static DockerClient docker() {
    return DockerClientFactory.instance().client();
  }

  /** Removes the containers, their networks and volumes. */
  @Override
  public void close() {
    clients.values().forEach(RestCalls::close);
    containers.stop();
  }
}
