package io.varve.standalone;

import static io.varve.standalone.YamlFiles.list;
import static io.varve.standalone.YamlFiles.map;
import static io.varve.standalone.YamlFiles.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.CoordinatorProperties;
import io.varve.events.Json;
import io.varve.host.spring.NodeProperties;
import io.varve.host.spring.StoreProperties;
import io.varve.http.security.SecurityProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySourcesPropertyResolver;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks docker-compose.yml and related files for consistency with each other and with the code.
 */
class DeploymentTest {

  private static final String FOLLOWER = "follower-";
  private static final Map<String, String> MAIN_CLASSES =
      Map.of(
          "coordinator", "io.varve.coordinator.CoordinatorService",
          "shard-service", "io.varve.shard.ShardService",
          "replication-service", "io.varve.replication.ReplicationService",
          "search-service", "io.varve.replication.ReplicationService",
          "ccr-follower", "io.varve.ccr.CcrFollowerService");

  private static final String OF_SOME =
      "VARVE_(NODE_ROLES|SECURITY_USERS_FILE|REMOTE_FILES|REMOTE_ADDRESSES)";

  private final Map<String, Map<?, ?>> services = services();

  @TempDir Path secrets;

  @Test
  void theDesignsProcessesAreThere() {
    assertThat(services)
        .containsOnlyKeys(
            "broker-1",
            "broker-2",
            "broker-3",
            "broker-setup",
            "s3",
            "coordinator-1",
            "coordinator-2",
            "shard-service-1",
            "shard-service-2",
            "replication-service-1",
            "replication-service-2",
            "search-service-1",
            "ccr-follower-1",
            "follower-broker-1",
            "follower-broker-setup",
            "follower-coordinator-1",
            "follower-shard-service-1",
            "follower-replication-service-1",
            "follower-ccr-follower-1",
            "follower-setup",
            "prometheus",
            "grafana");
  }

  @Test
  void onlyTheProfileFollowerStartsTheSecondCluster() {
    services.forEach((name, service) ->
        assertThat(list(service, "profiles").toString())
            .as(name)
            .isEqualTo(isOfFollower(name) ? "[follower]" : "[]"));
    assertThat(
            services.values().stream()
                .map(service -> String.valueOf(service.get("image")))
                .filter(image -> image.startsWith("varve:")))
        .hasSize(ours().size() + 3)
        .containsOnly("varve:${VARVE_VERSION:-0.1.0}");
    assertThat(environment(services.get("follower-broker-1")).get("CLUSTER_ID"))
        .isNotEqualTo(environment(services.get("broker-1")).get("CLUSTER_ID"));
  }

  /** {@code ComposedProcessesTest} runs its command. */
  @Test
  void theSetupTellsTheFollowerTheLeadersCoordinatorsAndFiles() throws IOException {
    Map<?, ?> setup = services.get("follower-setup");
    String script = String.valueOf(list(setup, "command").getFirst());
    JsonNode settings =
        Json.mapper()
            .readTree(script.substring(script.indexOf("{"), script.indexOf("'\n")))
            .path("persistent");

    ObjectNode wanted = Json.mapper().createObjectNode();
    FollowerAccess.addTo(wanted, "leader");
    wanted
        .putArray("cluster.remote.leader.seeds")
        .add("coordinator-1:9200")
        .add("coordinator-2:9200");
    assertThat(settings).isEqualTo(wanted);
    assertThat(list(setup, "entrypoint").toString()).isEqualTo("[bash, -c]");
    assertThat(services).containsKeys("coordinator-1", "coordinator-2");
  }

  @Test
  void eachServiceRunsTheMainClassOfItsName() throws Exception {
    for (Map.Entry<String, Map<?, ?>> service : ours().entrySet()) {
      String kind = kind(service.getKey());
      String mainClass = String.valueOf(list(service.getValue(), "command").getFirst());
      assertThat(mainClass).as(service.getKey()).isEqualTo(MAIN_CLASSES.get(kind));
      assertThat(Class.forName(mainClass).getMethod("main", String[].class)).isNotNull();
    }
  }

  @Test
  void eachServiceStartsOnceBrokersAndStoreAnswerAndTellsWhetherItDoes() {
    ours()
        .forEach((name, service) -> {
          assertThat(map(service, "depends_on").keySet().stream().map(String::valueOf))
              .as(name)
              .containsExactlyInAnyOrder(
                  isOfFollower(name)
                      ? new String[] {"follower-broker-setup", "s3"}
                      : new String[] {"broker-setup", "s3"});
          assertThat(list(map(service, "healthcheck"), "test").toString())
              .as(name)
              .contains(
                  "/_actuator/health", "$$VARVE_HOST:" + environment(service).get("SERVER_PORT"));
        });
  }

  @Test
  void theEnvironmentBindsToThePropertiesOfTheServices() {
    ours()
        .forEach((name, service) -> {
          boolean second = isOfFollower(name);
          int copiesOfTheLog = second ? 1 : 3;
          Binder binder = binder(environment(service));
          NodeProperties node = binder.bindOrCreate("varve", NodeProperties.class);
          assertThat(node.nodeName()).isEqualTo(name);
          assertThat(node.host()).isEqualTo(name);
          assertThat(node.data()).isEqualTo(Path.of("/var/lib/varve"));
          assertThat(node.kafka().bootstrapServers())
              .isEqualTo(
                  second ? "follower-broker-1:9092" : "broker-1:9092,broker-2:9092,broker-3:9092");
          assertThat(node.kafka().replicationFactor()).isEqualTo(copiesOfTheLog);
          StoreProperties store = binder.bindOrCreate("varve.store", StoreProperties.class);
          assertThat(store.type()).isEqualTo(StoreProperties.Type.S3);
          assertThat(store.s3().endpoint()).hasToString("http://s3:9000");
          assertThat(store.s3().createBucket()).isTrue();
          assertThat(store.s3().pathStyle()).isTrue();
          assertThat(node.node().roles())
              .isEqualTo(kind(name).equals("search-service") ? Set.of("search") : Set.of());
          CoordinatorProperties coordinator =
              binder.bindOrCreate("varve", CoordinatorProperties.class);
          assertThat(coordinator.clusterName()).isEqualTo(second ? "varve-follower" : "varve");
          assertThat(coordinator.nodeName()).isEqualTo(name);
          assertThat(coordinator.kafka().replicationFactor()).isEqualTo(copiesOfTheLog);
          checkSecurity(name, binder);
          assertThat(environment(service).keySet())
              .as("variables that the lines above know")
              .filteredOn(variable -> !variable.matches(OF_SOME))
              .containsExactlyInAnyOrder(
                  "VARVE_CLUSTER_NAME",
                  "VARVE_NODE_NAME",
                  "VARVE_HOST",
                  "VARVE_DATA",
                  "VARVE_LOG_FORMAT",
                  "VARVE_SECURITY_ENABLED",
                  "VARVE_SECURITY_TLS_FOLDER",
                  "VARVE_SECURITY_CLUSTER_SECRET_FILE",
                  "VARVE_SECURITY_SHARED_FILES",
                  "VARVE_STORE_TYPE",
                  "VARVE_STORE_S3_ENDPOINT",
                  "VARVE_STORE_S3_BUCKET",
                  "VARVE_STORE_S3_CREATE_BUCKET",
                  "VARVE_STORE_S3_PATH_STYLE",
                  "SPRING_CONFIG_IMPORT",
                  "VARVE_KAFKA_BOOTSTRAP_SERVERS",
                  "VARVE_KAFKA_REPLICATION_FACTOR",
                  "SERVER_PORT");
        });
  }

  private static void checkSecurity(String name, Binder binder) {
    SecurityProperties security = binder.bind("varve.security", SecurityProperties.class).get();
    assertThat(security.enabled()).isTrue();
    assertThat(security.tls().folder()).isEqualTo(Path.of("/run/varve"));
    assertThat(security.clusterSecretFile()).isEqualTo(Path.of("/run/varve/cluster.secret"));
    assertThat(security.sharedFiles()).isTrue();
    assertThat(security.usersFile())
        .isEqualTo(kind(name).equals("coordinator") ? Path.of("/run/varve/users.json") : null);
    assertThat(binder.bind("varve.remote-files", Path.class).orElse(null))
        .isEqualTo(isOfFollower(name) ? Path.of("/run/varve/leader") : null);
    assertThat(binder.bind("varve.remote-addresses", String.class).isBound())
        .isEqualTo(isOfFollower(name));
  }

  @Test
  void theSecretsBindToThePropertiesOfTheStore() throws IOException {
    Map<?, ?> service = services.get("shard-service-1");
    assertThat(environment(service))
        .containsEntry("SPRING_CONFIG_IMPORT", "configtree:/run/secrets/");
    for (Object secret : list(service, "secrets")) {
      Map<?, ?> mounted = (Map<?, ?>) secret;
      String target = String.valueOf(mounted.get("target"));
      if (!target.startsWith("/")) {
        Files.writeString(secrets.resolve(target), "value of " + mounted.get("source"));
      }
    }
    MapPropertySource imported =
        new MapPropertySource(
            "import", Map.of("spring.config.import", "configtree:" + secrets + "/"));
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addLast(imported);
    ConfigDataEnvironmentPostProcessor.applyTo(environment);

    StoreProperties store =
        Binder.get(environment).bindOrCreate("varve.store", StoreProperties.class);

    assertThat(store.s3().accessKey()).isEqualTo("value of s3-access-key");
    assertThat(store.s3().secretKey()).isEqualTo("value of s3-secret-key");
  }

  @Test
  void placeholdersOfTheDefaultsFindTheEnvironmentToo() {
    Map<String, Object> environment = environment(services.get("shard-service-1"));
    MutablePropertySources sources = new MutablePropertySources();
    sources.addLast(new SystemEnvironmentPropertySource("systemEnvironment", environment));
    assertThat(
            new PropertySourcesPropertyResolver(sources)
                .resolvePlaceholders("${varve.host:127.0.0.1} ${varve.data:data} ${server.port}"))
        .isEqualTo("shard-service-1 /var/lib/varve 9200");
  }

  @Test
  void eachBrokerKeepsTheHistoryInAVolumeOfItsOwn() {
    for (String broker : List.of("broker-1", "broker-2", "broker-3", "follower-broker-1")) {
      String folder = String.valueOf(environment(services.get(broker)).get("KAFKA_LOG_DIRS"));
      assertThat(list(services.get(broker), "volumes").toString())
          .isEqualTo("[" + broker + ":" + folder + "]");
    }
  }

  @Test
  void noProcessTakesTheWholeMachine() {
    services.forEach((name, service) -> {
      if (kind(name).equals("broker") || ours().containsKey(name)) {
        assertThat(String.valueOf(service.get("mem_limit"))).as(name).isNotEqualTo("null");
      }
    });
  }

  @Test
  void eachServiceKeepsItsDataInAVolumeOfItsOwn() {
    ours()
        .forEach((name, service) ->
            assertThat(list(service, "volumes").toString())
                .isEqualTo("[" + name + ":/var/lib/varve]"));
    assertThat(yaml(Modules.ROOT.resolve("docker-compose.yml")).get("volumes"))
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsKeys(ours().keySet().toArray());
  }

  @Test
  void portsArePublishedOnLoopbackOnlyAndOnce() {
    List<String> published = new ArrayList<>();
    services
        .values()
        .forEach(
            service -> list(service, "ports").forEach(port -> published.add(String.valueOf(port))));
    assertThat(published).allMatch(port -> port.startsWith("127.0.0.1:")).doesNotHaveDuplicates();
    assertThat(list(services.get("coordinator-1"), "ports").toString())
        .isEqualTo("[127.0.0.1:9200:9200]");
    assertThat(list(services.get("follower-coordinator-1"), "ports").toString())
        .isEqualTo("[127.0.0.1:9300:9200]");
  }

  @Test
  void prometheusReadsTheMetricsAndTheRulesThatExist() {
    Map<String, Object> config =
        yaml(Modules.ROOT.resolve("observability/prometheus/prometheus.yml"));
    assertThat(list(config, "scrape_configs"))
        .allSatisfy(job ->
            assertThat(((Map<?, ?>) job).get("metrics_path")).isEqualTo("/_actuator/prometheus"));
    assertThat(list(config, "rule_files"))
        .isNotEmpty()
        .allSatisfy(file ->
            assertThat(
                    Modules.ROOT.resolve("observability/prometheus").resolve(String.valueOf(file)))
                .exists());
  }

  @Test
  void dashboardsAskTheDatasourceThatIsProvisioned() throws IOException {
    Path grafana = Modules.ROOT.resolve("observability/grafana");
    Map<?, ?> datasource =
        (Map<?, ?>)
            list(yaml(grafana.resolve("provisioning/datasources/prometheus.yml")), "datasources")
                .getFirst();
    assertThat(datasource.get("url")).isEqualTo("http://prometheus:9090");
    try (Stream<Path> dashboards = Files.list(grafana.resolve("dashboards"))) {
      assertThat(dashboards)
          .isNotEmpty()
          .allSatisfy(file -> {
            JsonNode dashboard = Json.mapper().readTree(Files.readAllBytes(file));
            assertThat(dashboard.findValues("datasource"))
                .isNotEmpty()
                .allSatisfy(used ->
                    assertThat(used.path("uid").asString()).isEqualTo(datasource.get("uid")));
            assertThat(dashboard.path("panels").findValuesAsString("id")).doesNotHaveDuplicates();
          });
    }
  }

  @Test
  void theImageHoldsTheDistributionAndEveryBoundFileExists() throws IOException {
    assertThat(Modules.ROOT.resolve("Dockerfile"))
        .content()
        .contains(
            "COPY standalone/target/dist/lib /opt/varve/lib",
            "COPY jvm.options /opt/varve/jvm.options",
            "\"@/opt/varve/jvm.options\"",
            "\"@/opt/varve/class-path\"",
            "-XX:AOTCacheOutput=/opt/varve/varve.aot",
            "\"-XX:AOTCache=/opt/varve/varve.aot\"",
            StartTraining.class.getName());
    assertThat(Modules.ROOT.resolve("varve"))
        .content()
        .contains("\"@$root/jvm.options\"")
        .doesNotContain("-XX:+UseParallelGC");
    assertThat(Modules.ROOT.resolve("jvm.options"))
        .content()
        .contains(
            "-XX:+UseParallelGC",
            "-XX:MetaspaceSize=64m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+HeapDumpOnOutOfMemoryError");
    assertThat(list(services.get("grafana"), "volumes").stream().map(String::valueOf))
        .contains("./observability/grafana/dashboards:/etc/grafana/dashboards:ro");
    assertThat(Modules.ROOT.resolve("observability/grafana/provisioning/dashboards/varve.yml"))
        .content()
        .contains("path: /etc/grafana/dashboards");
  }

  private static Map<String, Map<?, ?>> services() {
    Map<String, Map<?, ?>> services = new TreeMap<>();
    map(yaml(Modules.ROOT.resolve("docker-compose.yml")), "services")
        .forEach((name, service) -> services.put(String.valueOf(name), (Map<?, ?>) service));
    return services;
  }

  private Map<String, Map<?, ?>> ours() {
    Map<String, Map<?, ?>> ours = new TreeMap<>(services);
    ours.keySet().removeIf(name -> !MAIN_CLASSES.containsKey(kind(name)));
    return ours;
  }

  private static boolean isOfFollower(String name) {
    return name.startsWith(FOLLOWER);
  }

  private static String kind(String name) {
    return name.replaceFirst("^" + FOLLOWER, "").replaceFirst("-\\d+$", "");
  }

  /** The environment of a service, with the defaults of compose's own variables. */
  private static Map<String, Object> environment(Map<?, ?> service) {
    Map<String, Object> environment = new TreeMap<>();
    map(service, "environment")
        .forEach((name, value) ->
            environment.put(
                String.valueOf(name),
                String.valueOf(value).replaceFirst("^\\$\\{[A-Z_]+:-(.*)}$", "$1")));
    return environment;
  }

  private static Binder binder(Map<String, Object> environment) {
    MutablePropertySources sources = new MutablePropertySources();
    sources.addLast(new SystemEnvironmentPropertySource("systemEnvironment", environment));
    return new Binder(ConfigurationPropertySources.from(sources));
  }
}
