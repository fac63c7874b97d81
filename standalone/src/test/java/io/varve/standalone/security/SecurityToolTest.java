package io.varve.standalone.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.tls.CertificateFolder;
import io.varve.tls.ProcessIdentity;
import io.varve.tls.ServiceKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SecurityToolTest {

  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  @TempDir Path temporary;

  private final StringWriter errors = new StringWriter();

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final PrintStream out = System.out;

  @BeforeEach
  void capture() {
    System.setOut(new PrintStream(output, true, UTF_8));
  }

  @AfterEach
  void restore() {
    System.setOut(out);
  }

  /** What was printed since the last question. */
  private String printed() {
    String text = output.toString(UTF_8);
    output.reset();
    return text;
  }

  private Path folder() {
    return temporary.resolve("security");
  }

  private int run(String... arguments) {
    return runAt(NOW, arguments);
  }

  private int runAt(Instant now, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--folder");
    all.add(folder().toString());
    String[] line = all.toArray(String[]::new);
    CommandLine command = SecurityTool.commandLine(InstantSource.fixed(now), line);
    command.setErr(new PrintWriter(errors, true));
    return command.execute(line);
  }

  private CertificateFolder certificates() {
    return new CertificateFolder(folder(), InstantSource.fixed(NOW));
  }

  @Test
  void aClusterGetsAnAuthorityAndItsProcessesCertificates() throws Exception {
    assertThat(run("init", "--cluster", "books")).isZero();
    assertThat(
            run(
                "add-node",
                "c1",
                "--service",
                "coordinator",
                "--host",
                "a.example",
                "--host",
                "10.0.0.1"))
        .isZero();
    assertThat(run("add-node", "prometheus", "--service", "monitor")).isZero();

    CertificateFolder.Certified made = certificates().certified("c1");
    assertThat(made.identity().cluster()).isEqualTo("books");
    assertThat(made.identity().service()).isEqualTo(ServiceKind.COORDINATOR);
    assertThat(made.hosts()).containsExactlyInAnyOrder("a.example", "10.0.0.1");
    assertThat(certificates().nodes()).containsExactly("c1", "prometheus");
    assertThat(run("status")).isZero();
  }

  @Test
  void aNodeThatExistsKeepsItsId() throws Exception {
    Path data = Files.createDirectories(temporary.resolve("data"));
    Files.writeString(data.resolve("node.json"), "{\"nodeId\":\"abc\"}");
    run("init");

    run("add-node", "s1", "--service", "shard-service", "--host", "h", "--data", data.toString());

    assertThat(certificates().certified("s1").identity())
        .isEqualTo(new ProcessIdentity("varve", ServiceKind.SHARD_SERVICE, "abc"));
  }

  @Test
  void rotationRenewsAllOrTheNamedOnes() throws Exception {
    run("init");
    run("add-node", "a", "--service", "monitor", "--days", "10");
    run("add-node", "b", "--service", "monitor", "--days", "10");
    assertThat(run("status")).isEqualTo(1);

    assertThat(run("rotate", "a", "--days", "100")).isZero();
    assertThat(certificates().certified("a").until())
        .isAfter(certificates().certified("b").until());
    assertThat(run("rotate")).isZero();
    assertThat(run("status")).isZero();
    assertThat(runAt(NOW.plusSeconds(350L * 86_400), "status")).isEqualTo(1);
  }

  @Test
  void theAuthorityIsReplacedInItsThreeSteps() {
    run("init");
    run("add-node", "a", "--service", "monitor");
    assertThat(run("rotate", "--authority", "switch")).isEqualTo(1);
    assertThat(errors.toString()).contains("varve: the next step is PREPARE, not SWITCH");
    assertThat(run("rotate", "--authority", "prepare")).isZero();
    assertThat(run("rotate", "--authority", "switch")).isZero();
    assertThat(run("rotate", "--authority", "finish")).isZero();
  }

  @Test
  void theCertificatesOfAProcessAreRevokedAndListedUntilItHasOthers() throws Exception {
    run("init", "--cluster", "books");
    run("add-node", "s.1", "--service", "shard-service", "--host", "h");
    String serial = certificates().certified("s.1").serial().toString(16);
    String nodeId = certificates().certified("s.1").identity().nodeId();

    assertThat(run("revoke", "s.1")).isZero();
    assertThat(printed())
        .contains("revoked 2026-11-26T12:00:00Z " + serial + " s.1")
        .contains("RULE:^O=books,OU=shard-service,CN=" + nodeId + "$/revoked/");
    assertThat(run("status")).isZero();
    assertThat(printed()).contains(" h revoked\n", "revoked 2026-11-26T12:00:00Z " + serial);

    run("rotate", "s.1");
    printed();
    assertThat(run("status")).isZero();
    assertThat(printed()).doesNotContain(" h revoked").contains(serial);
    assertThat(run("revoke", "00:11:22:33:44")).isZero();
    assertThat(printed()).contains("11223344 (not made in this folder)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "init",
        "revoke absent",
        "add-node a --service monitor",
        "add-node c --service coordinator",
        "add-node ../c --service monitor",
        "rotate absent",
      })
  void whatCantBeDoneIsOneLineOfText(String line) {
    run("init");
    run("add-node", "a", "--service", "monitor");
    assertThat(errors.toString()).isEmpty();

    assertThat(run(line.split(" "))).isEqualTo(1);
    assertThat(errors.toString().lines()).hasSize(1).first().asString().startsWith("varve: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "add-node c --service baker --host h",
        "add-node c --host h",
        "revoke",
        "rotate --days 0",
        "rotate --authority all",
        "unknown",
      })
  void aMalformedLineIsRefused(String line) {
    run("init");
    assertThat(run(line.split(" "))).isEqualTo(2);
  }
}
