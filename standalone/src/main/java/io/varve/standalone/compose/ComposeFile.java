package io.varve.standalone.compose;

import static io.varve.standalone.compose.Trees.list;
import static io.varve.standalone.compose.Trees.map;
import static io.varve.standalone.compose.Trees.text;

import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * docker-compose.yml, with its variables replaced.
 *
 * @param tree the whole file
 */
public record ComposeFile(Map<?, ?> tree) {

  private static final String DEFAULT_TARGET = "/run/secrets/";

  /** The kinds of the processes that have certificates, by their main classes. */
  private static final Map<String, ServiceKind> KINDS =
      Map.of(
          "io.varve.coordinator.CoordinatorService", ServiceKind.COORDINATOR,
          "io.varve.shard.ShardService", ServiceKind.SHARD_SERVICE,
          "io.varve.replication.ReplicationService", ServiceKind.REPLICATION_SERVICE,
          "io.varve.ccr.CcrFollowerService", ServiceKind.CCR_FOLLOWER);

  /** Creates permissions, as a super user of the brokers. */
  private static final String TOOL = "io.varve.standalone.security.SecurityTool";

  /**
   * A service of the file.
   *
   * @param tree its part of the file
   */
  public record Service(String name, Map<?, ?> tree) {

    /** The values of its variables. */
    public Map<String, String> environment() {
      Map<String, String> environment = new LinkedHashMap<>();
      map(tree, "environment")
          .forEach((key, value) -> environment.put(String.valueOf(key), String.valueOf(value)));
      return environment;
    }

    /** The words of its command. */
    public List<String> command() {
      return list(tree, "command").stream().map(String::valueOf).toList();
    }

    boolean isBroker() {
      return text(tree, "image").startsWith("apache/kafka:");
    }

    /** Whether it runs one of Varve's services, rather than one of its commands. */
    boolean isProcess() {
      return process().isPresent();
    }

    private Optional<ServiceKind> process() {
      return command().stream().map(KINDS::get).filter(Objects::nonNull).findFirst();
    }

    /** Its kind in certificates; empty if it has none. */
    Optional<ServiceKind> kind() {
      return isBroker() || command().contains(TOOL) ? Optional.of(ServiceKind.BROKER) : process();
    }

    /** Whether it belongs to the second cluster, which follows the first one. */
    boolean isOfFollower() {
      return list(tree, "profiles").contains("follower");
    }

    /** The mounted secrets: their names by the paths of their files in the container. */
    public Map<String, String> secrets() {
      Map<String, String> mounted = new LinkedHashMap<>();
      for (Object secret : list(tree, "secrets")) {
        String source =
            secret instanceof Map<?, ?> map ? text(map, "source") : String.valueOf(secret);
        String target = secret instanceof Map<?, ?> map ? text(map, "target") : source;
        mounted.put(target.startsWith("/") ? target : DEFAULT_TARGET + target, source);
      }
      return mounted;
    }
  }

  /**
   * @param variables returns the value of a variable, or null
   * @throws IOException the file can't be read, or a variable has no value
   */
  public static ComposeFile read(Path file, UnaryOperator<@Nullable String> variables)
      throws IOException {
    Interpolation interpolation = new Interpolation(variables);
    Object values = interpolation.apply("", Deployment.yaml(Files.readString(file)));
    if (!interpolation.problems().isEmpty()) {
      throw new IOException(interpolation.problems().getFirst().toString());
    }
    return new ComposeFile((Map<?, ?>) Objects.requireNonNull(values));
  }

  public List<Service> services() {
    return map(tree, "services").entrySet().stream()
        .map(entry -> new Service(String.valueOf(entry.getKey()), (Map<?, ?>) entry.getValue()))
        .toList();
  }

  /**
   * @throws IllegalArgumentException there is no service of that name
   */
  public Service service(String name) {
    return services().stream()
        .filter(service -> service.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no service " + name));
  }

  /** The file of each secret, relative to the folder of docker-compose.yml. */
  public Map<String, String> secretFiles() {
    Map<String, String> files = new LinkedHashMap<>();
    map(tree, "secrets")
        .forEach(
            (name, secret) -> files.put(String.valueOf(name), text((Map<?, ?>) secret, "file")));
    return files;
  }
}
