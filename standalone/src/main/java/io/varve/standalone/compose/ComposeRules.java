package io.varve.standalone.compose;

import static io.varve.standalone.compose.Trees.list;
import static io.varve.standalone.compose.Trees.map;
import static io.varve.standalone.compose.Trees.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The rules of docker-compose.yml beyond its schema. A problem bears the rule's name:
 *
 * <pre>
 *   image          pinned to a version; one that is built here is built by one service, and never
 *                  pulled
 *   port           published on loopback, each host port once
 *   health-check   every service that stays up has one, with a start period; so has each service that
 *                  another waits for
 *   log            the size of a container's log is limited
 *   volume         declared volumes are used by one service and vice versa, mounted files exist,
 *                  and each Varve process has its data folder on a volume
 *   confined       no capabilities, no new privileges; Varve's processes have a read-only root
 *   stop           a Varve process, a broker or a store gets time to stop
 *   memory         Varve processes and brokers have a limit
 *   secret         secrets are files that are declared, and the environment contains none
 * </pre>
 */
final class ComposeRules {

  private static final String DATA = "/var/lib/varve";
  private static final String STAYS_UP = "unless-stopped";
  private static final Pattern LOOPBACK = Pattern.compile("127\\.0\\.0\\.1:(\\d+):\\d+");
  private static final Pattern SECRET =
      Pattern.compile(".*(PASSWORD|SECRET|ACCESS_KEY|TOKEN|CREDENTIAL).*");

  private final Map<?, ?> file;
  private final Predicate<String> exists;
  private final List<Problem> problems = new ArrayList<>();
  private final Set<String> publishedPorts = new HashSet<>();
  private final Set<String> usedVolumes = new TreeSet<>();
  private final Set<String> usedSecrets = new TreeSet<>();

  ComposeRules(ComposeFile file, Predicate<String> exists) {
    this.file = file.tree();
    this.exists = exists;
  }

  List<Problem> problems() {
    eachService(this::checkService);
    checkBuilds();
    checkUnused("volumes", "volume", usedVolumes);
    checkUnused("secrets", "secret", usedSecrets);
    return List.copyOf(problems);
  }

  private void eachService(BiConsumer<String, Map<?, ?>> check) {
    map(file, "services")
        .forEach((name, service) -> check.accept("services." + name, (Map<?, ?>) service));
  }

  private void checkService(String path, Map<?, ?> service) {
    ImageRules.pinned(path + ".image", text(service, "image")).ifPresent(problems::add);
    checkPorts(path, service);
    checkHealth(path, service);
    checkVolumes(path, service);
    checkSecrets(path, service);
    require(
        list(service, "cap_drop").equals(List.of("ALL")), "confined", path, "keeps capabilities");
    require(
        list(service, "security_opt").contains("no-new-privileges:true"),
        "confined",
        path,
        "can gain privileges");
    require(
        !text(map(map(service, "logging"), "options"), "max-size").isEmpty(),
        "log",
        path,
        "has a log without max-size");
    boolean process = isProcess(service);
    boolean broker = new ComposeFile.Service("", service).isBroker();
    require(
        !process || text(service, "read_only").equals("true"),
        "confined",
        path,
        "has a writable root");
    require(
        !staysUp(service) || !text(service, "stop_grace_period").isEmpty(),
        "stop",
        path,
        "lacks stop_grace_period");
    require(
        !(process || broker) || !text(service, "mem_limit").isEmpty(),
        "memory",
        path,
        "lacks mem_limit");
  }

  /**
   * Compose builds an image once for each service that declares a build, concurrently, and first
   * asks a registry.
   */
  private void checkBuilds() {
    Map<String, String> builders = new TreeMap<>();
    eachService((path, service) -> {
      if (service.containsKey("build")) {
        String other = builders.putIfAbsent(text(service, "image"), path);
        require(other == null, "image", path, "is built by " + other + " too");
      }
    });
    eachService((path, service) ->
        require(
            !builders.containsKey(text(service, "image"))
                || text(service, "pull_policy").equals("never"),
            "image",
            path,
            "can pull an image that is built here"));
  }

  private void require(boolean holds, String rule, String path, String text) {
    if (!holds) {
      problems.add(new Problem(rule, path, text));
    }
  }

  private static boolean staysUp(Map<?, ?> service) {
    return text(service, "restart").equals(STAYS_UP);
  }

  private static boolean isProcess(Map<?, ?> service) {
    return new ComposeFile.Service("", service).isProcess();
  }

  private void checkPorts(String path, Map<?, ?> service) {
    for (Object port : list(service, "ports")) {
      var published = LOOPBACK.matcher(String.valueOf(port));
      if (!published.matches()) {
        problems.add(new Problem("port", path, "is not published on loopback: " + port));
      } else if (!publishedPorts.add(published.group(1))) {
        problems.add(new Problem("port", path, "is published twice: " + published.group(1)));
      }
    }
  }

  private void checkHealth(String path, Map<?, ?> service) {
    require(!staysUp(service) || isWatched(service), "health-check", path, "lacks a health check");
    // Without one, Compose does not start the services that wait for this one if its start is slow.
    require(
        !isWatched(service) || !text(map(service, "healthcheck"), "start_period").isEmpty(),
        "health-check",
        path,
        "lacks start_period");
    map(service, "depends_on")
        .forEach((name, condition) -> {
          Map<?, ?> awaited = map(map(file, "services"), String.valueOf(name));
          require(!awaited.isEmpty(), "depends-on", path, "waits for an unknown service: " + name);
          require(
              awaited.isEmpty()
                  || isWatched(awaited)
                  || !text((Map<?, ?>) condition, "condition").equals("service_healthy"),
              "health-check",
              path,
              "waits for " + name + ", which lacks a health check");
        });
  }

  private static boolean isWatched(Map<?, ?> service) {
    Map<?, ?> check = map(service, "healthcheck");
    return !list(check, "test").isEmpty() && !text(check, "disable").equals("true");
  }

  private void checkVolumes(String path, Map<?, ?> service) {
    boolean data = false;
    for (Object volume : list(service, "volumes")) {
      String[] parts = String.valueOf(volume).split(":", 3);
      data |= parts.length > 1 && parts[1].equals(DATA);
      if (parts[0].startsWith(".")) {
        require(exists.test(parts[0]), "volume", path, "mounts a missing file: " + parts[0]);
        require(
            parts.length == 3 && parts[2].equals("ro"), "volume", path, "can write " + parts[0]);
      } else {
        require(
            map(file, "volumes").containsKey(parts[0]),
            "volume",
            path,
            "mounts an undeclared volume: " + parts[0]);
        require(
            usedVolumes.add(parts[0]), "volume", path, "shares a volume with another: " + parts[0]);
      }
    }
    require(data || !isProcess(service), "volume", path, "has no volume at " + DATA);
  }

  private void checkSecrets(String path, Map<?, ?> service) {
    for (Object secret : list(service, "secrets")) {
      String name = secret instanceof Map<?, ?> map ? text(map, "source") : String.valueOf(secret);
      usedSecrets.add(name);
      require(
          !text(map(map(file, "secrets"), name), "file").isEmpty(),
          "secret",
          path,
          "uses a secret that is not a declared file: " + name);
    }
    map(service, "environment")
        .forEach((name, value) ->
            require(
                isPath(String.valueOf(name), String.valueOf(value))
                    || !SECRET.matcher(String.valueOf(name)).matches(),
                "secret",
                path,
                "has a secret in its environment: " + name));
  }

  private static boolean isPath(String name, String value) {
    return name.endsWith("_FILE") && value.startsWith("/");
  }

  private void checkUnused(String section, String rule, Set<String> used) {
    map(file, section)
        .keySet()
        .forEach(name ->
            require(
                used.contains(String.valueOf(name)), rule, section + "." + name, "is not used"));
  }
}
