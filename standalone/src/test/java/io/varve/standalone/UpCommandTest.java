package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.host.spring.StoreProperties;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;

class UpCommandTest {

  private static Standalone.Settings settings(String... arguments) {
    CommandLine line = UpCommand.commandLine(arguments);
    line.parseArgs(arguments);
    return line.<UpCommand>getCommand().settings();
  }

  /** Runs a command line that exits with code 2, and returns its error output. */
  private static String refused(String... arguments) {
    StringWriter errors = new StringWriter();
    CommandLine line = UpCommand.commandLine(arguments).setErr(new PrintWriter(errors));
    assertThat(line.execute(arguments)).isEqualTo(2);
    return errors.toString();
  }

  @Test
  void defaultsAreThoseOfTheSettingsPage() {
    Standalone.Settings settings = settings();

    assertThat(settings.data()).isAbsolute().endsWithRaw(Path.of("varve", "standalone"));
    assertThat(settings.port()).isEqualTo(9200);
    assertThat(settings.flush()).isEqualTo("always");
    assertThat(settings.arguments()).isEmpty();
    assertThat(settings.nodes()).isEqualTo(4);
  }

  @Test
  void optionsAreGivenWithASpaceOrAnEqualsSign() {
    Standalone.Settings settings = settings("--data", "/d", "--port=9300", "--log.flush", "os");

    assertThat(settings.data()).isEqualTo(Path.of("/d"));
    assertThat(settings.port()).isEqualTo(9300);
    assertThat(settings.flush()).isEqualTo("os");
  }

  @Test
  void aSearchNodeIsOneMore() {
    assertThat(settings("--search-node").nodes()).isEqualTo(5);
  }

  @Test
  void logsAsJsonAreOneForAllServices() {
    assertThat(settings("--log-format", "json").arguments())
        .containsExactly(
            "--varve.log.format=json", "--logging.structured.ecs.service.node-name=standalone");
    assertThat(settings("--log-format", "text").arguments()).isEmpty();
  }

  @Test
  void propertiesAreHandedToEachService() {
    Standalone.Settings settings =
        settings(
            "--varve.node.timeout-millis",
            "60000",
            "--varve.leader.timeout-millis=50000",
            "--store.type",
            "s3",
            "--store.s3.endpoint=http://127.0.0.1:9000/?a=b",
            "--node.attr.zone",
            "one");

    assertThat(settings.arguments())
        .containsExactly(
            "--varve.store.s3.endpoint=http://127.0.0.1:9000/?a=b",
            "--varve.store.type=s3",
            "--varve.leader.timeout-millis=50000",
            "--varve.node.timeout-millis=60000",
            "--varve.node.attr.zone=one");
  }

  @Test
  void itIsSecuredOnDemand() {
    assertThat(settings("--secured").secured()).isTrue();
    assertThat(settings().secured()).isFalse();
  }

  @Test
  void aSecuredServiceGetsFilesThatOnlyTheirOwnerCanReadAndKeepsThem(@TempDir Path folder)
      throws IOException {
    SecurityFolder security = new SecurityFolder(folder);
    SecurityFolder.Member member =
        new SecurityFolder.Member(
            "shard", ServiceKind.SHARD_SERVICE, folder.resolve("shard"), 9301);
    List<String> shared = List.of("--varve.cluster-name=books");
    List<String> first = security.arguments(member, shared);
    Path files = folder.resolve("security").resolve("nodes").resolve("shard");
    Path secret = files.resolve("cluster.secret");
    String certificate = Files.readString(files.resolve("node.pem"));

    assertThat(first)
        .containsExactly(
            "--varve.security.enabled=true",
            "--varve.security.cluster-secret-file=" + secret,
            "--varve.security.folder=" + folder.resolve("security"),
            "--varve.security.tls.folder=" + files,
            "--varve.security.tls.internal-port=9301");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
        .isEqualTo("rw-------");
    String text = Files.readString(secret).strip();
    assertThat(first).noneMatch(argument -> argument.contains(text));
    assertThat(security.arguments(member, shared)).isEqualTo(first);
    assertThat(Files.readString(files.resolve("node.pem"))).isEqualTo(certificate);
  }

  @Test
  void aCertificateThatEndsSoonIsMadeAgainAtAStart(@TempDir Path folder) throws IOException {
    SecurityFolder.Member member =
        new SecurityFolder.Member(
            "shard", ServiceKind.SHARD_SERVICE, folder.resolve("shard"), 9301);
    Path file = folder.resolve("security/nodes/shard/node.pem");
    Instant now = Instant.parse("2026-11-26T12:00:00Z");
    new SecurityFolder(folder, InstantSource.fixed(now)).arguments(member, List.of());
    String first = Files.readString(file);

    Instant later = now.plus(Duration.ofDays(340));
    new SecurityFolder(folder, InstantSource.fixed(later)).arguments(member, List.of());

    assertThat(Files.readString(file)).isNotEqualTo(first);
  }

  @Test
  void aStoreFolderIsHandedToEachServiceAsAnAbsolutePath() {
    assertThat(settings("--store", "/a/../s").arguments())
        .containsExactly("--varve.store.type=directory", "--varve.store.directory=/s");
  }

  @Test
  void servicesReadSecretsFromTheFilesOfAFolder(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("varve.store.s3.secret-key"), "canary");
    String[] arguments =
        settings("--secrets", folder.toString()).arguments().toArray(String[]::new);

    StoreProperties store;
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Object.class).web(WebApplicationType.NONE).run(arguments)) {
      store =
          Binder.get(context.getEnvironment()).bindOrCreate("varve.store", StoreProperties.class);
    }

    assertThat(arguments).noneMatch(argument -> argument.contains("canary"));
    assertThat(store.s3().secretKey()).isEqualTo("canary");
    assertThat(store.toString()).doesNotContain("canary");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--store.s3.secret-key", "--varve.store.s3.access-key", "--varve.any.password"})
  void aSecretIsRefusedAsAnOption(String option) {
    assertThat(refused(option, "canary"))
        .contains("is a secret", "--secrets DIR")
        .doesNotContain("canary");
  }

  @Test
  void aMissingFolderOfSecretsIsRefused(@TempDir Path folder) {
    assertThat(refused("--secrets", folder.resolve("none").toString())).contains("is not a folder");
  }

  @Test
  void theLastValueOfAnOptionCounts() {
    Standalone.Settings settings =
        settings("--port", "1", "--port", "2", "--varve.a", "b", "--varve.a", "c");

    assertThat(settings.port()).isEqualTo(2);
    assertThat(settings.arguments()).containsExactly("--varve.a=c");
  }

  @Test
  void anUnknownOptionIsRefusedWithTheNearestKnownOnes() {
    assertThat(refused("--dat", "/d")).contains("Unknown option", "--dat", "--data");
    assertThat(refused("--varve.", "x")).contains("Unknown option", "--varve.");
    assertThat(refused("x")).contains("Unmatched argument", "x");
  }

  @ParameterizedTest
  @CsvSource({"--port,none", "--port,0", "--port,65536", "--log.flush,never"})
  void aMalformedValueIsRefused(String option, String value) {
    assertThat(refused(option, value)).contains("Invalid value for option '" + option, value);
  }

  @Test
  void anOptionWithoutAValueIsRefused() {
    assertThat(refused("--port")).contains("Missing required parameter for option '--port'");
    assertThat(refused("--varve.a")).contains("Missing required parameter for option '--varve.a'");
  }
}
