package io.varve.standalone.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.events.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the deployment of this project holds all rules, and that each mutant is named. */
class DeploymentRulesTest {

  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();

  private final Deployment real;

  DeploymentRulesTest() throws IOException {
    real = Deployment.in(ROOT);
  }

  private static List<Problem> problems(Deployment deployment) throws IOException {
    return deployment.problems(_ -> null);
  }

  /** Returns the problems after replacing a text that occurs in the file. */
  private List<Problem> mutated(String text, String replacement) throws IOException {
    assertThat(real.compose()).contains(text);
    return problems(
        new Deployment(
            real.compose().replace(text, replacement),
            real.prometheus(),
            real.image(),
            real.exists()));
  }

  private static String rules(List<Problem> problems) {
    return problems.stream().map(Problem::rule).distinct().collect(Collectors.joining(" "));
  }

  @Test
  void theDeploymentHoldsAllRules() throws IOException {
    assertThat(problems(real)).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1} becomes {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          variable     | varve:${VARVE_VERSION:-0.1.0}    | varve:${VARVE_VERSION}
          variable     | ${SERVICE_MEMORY:-1g}            | ${SERVICE_MEMORY:?set it}
          variable     | 1@broker-1:9093,2@               | $ 1@broker-1:9093,2@
          schema       | stop_grace_period: 40s           | stop_grace_periode: 40s
          schema       | retries: 24                      | retries: {}
          security     | VARVE_SECURITY_ENABLED: "true"   | VARVE_SECURITY_ENABLED: "false"
          security     | VARVE_SECURITY_ENABLED: "true"   | VARVE_SECURITY: "true"
          security     | VARVE_DATA: /var/lib/varve       | VARVE_KAFKA_SECURITY_PROTOCOL: plaintext
          certificate  | source: shard-service-2          | source: shard-service-1
          certificate  | source: shard-service-2, target: /run/varve/node.pem | source: shard-service-2, target: node.pem
          certificate  | *cluster-secret, {               | {
          certificate  | TLS_FOLDER: /run/varve           | TLS_FOLDER: /run/other
          certificate  | [*ca, { source: broker-2         | [{ source: broker-2
          certificate  | source: broker-2, target         | source: broker-1, target
          certificate  | KAFKA_SSL_KEYSTORE_LOCATION      | KAFKA_SSL_KEYSTORE
          certificate  | *ca, *crl, *cluster-secret       | *ca, *cluster-secret
          users        | *cluster-secret, *users, {       | *cluster-secret, {
          listener     | CONTROLLER:SSL,TLS:SSL           | CONTROLLER:SSL,TLS:PLAINTEXT
          listener     | CONTROLLER:SSL,TLS:SSL           | CONTROLLER:PLAINTEXT,TLS:SSL
          listener     | TLS://:9092,                     | TLS://:9092,PLAINTEXT://:9094,
          listener     | TLS://:9092,                     | TLS://:9092,SSL://:9094,
          listener     | CLIENT_AUTH: required            | CLIENT_AUTH: requested
          permissions  | authorizer.StandardAuthorizer    | authorizer.OtherAuthorizer
          permissions  | KAFKA_AUTHORIZER_CLASS_NAME      | KAFKA_AUTHORIZER
          permissions  | KAFKA_SSL_CLIENT_AUTH: required  | KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND: "true"
          permissions  | -varve}.broker                   | -varve}.broker;User:ANONYMOUS
          private      | ./secrets/leader/users.json      | ./secrets/leader/admin.password
          private      | ./secrets/leader/ca.pem          | ./secrets/leader/authority.pem
          scrape-credentials | source: monitor-password, target: /run/varve/leader/ | source: monitor-password, target: /run/other/
          schema       | cap_drop: [ALL]                  | cap_drop: ALL
          schema       | cap_drop: [ALL]                  | cap_drop: [ALL, ALL]
          port         | 127.0.0.1:9201:9200              | 127.0.0.1:9200:9200
          port         | "127.0.0.1:9000:9000"            | "9000:9000"
          port         | 127.0.0.1:3000:3000              | 0.0.0.0:3000:3000
          health-check | http://127.0.0.1:9000/_/health"] | "]\\n      disable: true
          health-check | start_period: 3m                 | start_interval: 3m
          log          | max-size: 20m,                   | compress: "true",
          volume       | "s3:/data"                       | "s4:/data"
          volume       | "coordinator-2:/var/lib/varve"   | "coordinator-1:/var/lib/varve"
          volume       | ./observability/prometheus:      | ./observability/nothing:
          volume       | "ccr-follower-1:/var/lib/varve"  | "ccr-follower-1:/data"
          confined     | cap_drop: [ALL]                  | cap_drop: [NET_RAW]
          confined     | no-new-privileges:true           | no-new-privileges:false
          confined     | read_only: true                  | read_only: false
          stop         | stop_grace_period: 40s           | stop_signal: SIGTERM
          memory       | mem_limit: ${SERVICE_MEMORY:-1g} | oom_score_adj: 1
          image        | prom/prometheus:v3.5.0           | prom/prometheus:latest
          image        | apache/kafka:4.2.1               | apache/kafka
          image        | pull_policy: never               | pull_policy: missing
          image        | ["io.varve.shard.ShardService"]  | ["io.varve.shard.ShardService"]\\n    build: .
          secret       | secrets: [grafana-password]      | secrets: [other]
          secret       | GF_SECURITY_ADMIN_PASSWORD__FILE | GF_SECURITY_ADMIN_PASSWORD
          """)
  void aMutantIsNamed(String rule, String text, String replacement) throws IOException {
    List<Problem> problems = mutated(text, replacement.replace("\\n", "\n"));

    assertThat(problems).isNotEmpty();
    assertThat(rules(problems)).as("%s", problems).contains(rule);
  }

  @Test
  void aServiceWithoutAHealthCheckIsNamedAndSoAreThoseThatWaitForIt() throws IOException {
    String check =
        real.compose()
            .substring(
                real.compose()
                    .indexOf(
                        "    healthcheck:\n"
                            + "      test: [\"CMD\", \"wget\", \"-q\", \"-O\", \"/dev/null\","
                            + " \"http://127.0.0.1:9000"),
                real.compose().indexOf("  coordinator-1:\n    <<: *service"));

    List<Problem> problems = mutated(check, "");

    assertThat(problems).extracting(Problem::rule).containsOnly("health-check");
    assertThat(problems)
        .extracting(Problem::toString)
        .contains(
            "services.s3: [health-check] lacks a health check",
            "services.coordinator-1: [health-check] waits for s3, which lacks a health check");
  }

  @Test
  void aKeyThatOccursTwiceIsNamed() throws IOException {
    assertThat(rules(mutated("restart: unless-stopped", "restart: always\n    restart: always")))
        .isEqualTo("yaml");
  }

  @Test
  void anUnusedVolumeAndAnUnusedSecretAreNamed() throws IOException {
    assertThat(mutated("\nvolumes:\n", "\nvolumes:\n  left:\n"))
        .extracting(Problem::toString)
        .containsExactly("volumes.left: [volume] is not used");
    assertThat(mutated("\nsecrets:\n", "\nsecrets:\n  left: { file: ./left }\n"))
        .extracting(Problem::toString)
        .containsExactly("secrets.left: [secret] is not used");
  }

  @Test
  void anUnknownPropertyIsNamedWithItsPlace() throws IOException {
    assertThat(mutated("  s3:\n    <<: *c", "  s3:\n    restrat: always\n    <<: *c"))
        .extracting(Problem::toString)
        .containsExactly("services.s3: [schema] has the unknown property restrat");
  }

  @Test
  void aCoordinatorThatPrometheusDoesNotAskIsNamed() throws IOException {
    Deployment mutant =
        new Deployment(
            real.compose(),
            real.prometheus().replace("https://coordinator-2:", "https://coordinator-3:"),
            real.image(),
            real.exists());

    assertThat(problems(mutant))
        .extracting(Problem::toString)
        .containsExactly(
            "prometheus.yml: [scrape-target] does not ask"
                + " https://coordinator-2:9200/_prometheus/targets",
            "prometheus.yml: [scrape-target] asks an unknown service:"
                + " https://coordinator-3:9200/_prometheus/targets");
  }

  @ParameterizedTest(name = "{0} becomes {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          scheme: https                                         | scheme: http
          basic_auth: *leader-user                              | enable_http2: true
          , cert_file: /run/varve/leader/node.pem               | ''
          password_file: /run/varve/follower/monitor.password   | password_file: /etc/monitor.password
          tls_config: *leader-ca                                | tls_config: { insecure_skip_verify: true }
          """)
  void aScrapeWithoutCredentialsIsNamed(String text, String replacement) throws IOException {
    assertThat(real.prometheus()).contains(text);
    Deployment mutant =
        new Deployment(
            real.compose(),
            real.prometheus().replace(text, replacement),
            real.image(),
            real.exists());

    assertThat(rules(problems(mutant))).isEqualTo("scrape-credentials");
  }

  @Test
  void aBaseImageWithoutAVersionIsNamed() throws IOException {
    Deployment mutant =
        new Deployment(
            real.compose(),
            real.prometheus(),
            new BuildContext("FROM eclipse-temurin:latest\n", ""),
            real.exists());

    assertThat(problems(mutant))
        .extracting(Problem::toString)
        .containsExactly("Dockerfile: [image] is not pinned to a version: eclipse-temurin:latest");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          *;!lib               | COPY lib /opt/lib                       |
          *;!lib               | COPY lib/a.jar /opt/lib                 |
          *;!lib               | COPY --chown=varve lib b.json /opt/     | b.json
          *;!lib;lib/*.jar     | COPY lib/a.jar /opt/lib                 | lib/a.jar
          *;!lib;lib/*.jar     | COPY lib/a.txt /opt/lib                 |
          lib                  | COPY lib/a.jar b.json /opt/             | lib/a.jar
          *                    | COPY --from=build /opt/java /opt/java   |
          # all;;*             | COPY lib /opt/lib                       | lib
          """)
  void aFileThatIsCopiedAndNotInTheBuildContextIsNamed(
      String dockerignore, String copy, @Nullable String left) {
    List<Problem> problems =
        new BuildContext("FROM base:1.0\n" + copy + "\n", dockerignore.replace(";", "\n"))
            .problems();

    assertThat(problems)
        .extracting(Problem::toString)
        .isEqualTo(
            left == null
                ? List.of()
                : List.of(
                    "Dockerfile: [build-context] copies what .dockerignore leaves out: " + left));
  }

  @Test
  void variablesAreReplacedAsComposeDoes() {
    Interpolation interpolation = new Interpolation(Map.of("SET", "value", "EMPTY", "")::get);

    assertThat(
            interpolation.apply(
                "",
                "$SET ${SET} ${SET:-other} ${UNSET:-default} ${EMPTY:-default} [${EMPTY-default}]"
                    + " $$SET"))
        .isEqualTo("value value value default default [] $SET");
    assertThat(interpolation.problems()).isEmpty();
  }

  @Test
  void aSchemaWithAnUnknownKeywordIsRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new JsonSchema(
                Json.mapper()
                    .readTree("{\"items\": {\"anyOf\": []}}".getBytes(StandardCharsets.UTF_8))))
        .withMessageContaining("anyOf");
  }
}
