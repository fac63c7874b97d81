package io.varve.standalone.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import io.varve.tls.CertificateFolder;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import tools.jackson.databind.JsonNode;

/** What {@code ./varve compose init} writes for the docker-compose.yml of this project. */
class ComposeSecretsTest {

  private static final Path FILE =
      Path.of(System.getProperty("basedir", "."), "..").resolve("docker-compose.yml");
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    write(NOW, Map.of());
  }

  private void write(Instant now, Map<String, String> variables) throws IOException {
    new ComposeSecrets(
            ComposeFile.read(FILE, variables::get), folder, InstantSource.fixed(now), new Random(7))
        .write();
  }

  private CertificateFolder certificates(String cluster) {
    return new CertificateFolder(
        folder.resolve("secrets").resolve(cluster), InstantSource.fixed(NOW));
  }

  private String mode(String path) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(folder.resolve("secrets").resolve(path)));
  }

  private Map<Path, String> contents() throws IOException {
    Map<Path, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(file, Files.readString(file));
      }
    }
    return contents;
  }

  @Test
  void containersCanReadWhatTheyMountAndNothingElse() throws IOException {
    assertModes();
  }

  private void assertModes() throws IOException {
    assertThat(mode("")).isEqualTo("rwx------");
    for (String path : ComposeFile.read(FILE, _ -> null).secretFiles().values()) {
      assertThat(mode(path.replace("./secrets/", ""))).as(path).isEqualTo("r--r--r--");
    }
    for (String path :
        new String[] {
          "leader/admin.password",
          "leader/authority.pem",
          "follower/admin.password",
          "follower/authority.pem"
        }) {
      assertThat(mode(path)).as(path).isEqualTo("rw-------");
    }
  }

  @Test
  void eachProcessOfBothClustersHasACertificateOfItsCluster() throws IOException {
    CertificateFolder leader = certificates("leader");
    CertificateFolder follower = certificates("follower");

    assertThat(leader.cluster()).isEqualTo("varve");
    assertThat(follower.cluster()).isEqualTo("varve-follower");
    assertThat(leader.certified("coordinator-1").identity().service())
        .isEqualTo(ServiceKind.COORDINATOR);
    assertThat(leader.certified("coordinator-1").hosts())
        .contains("coordinator-1", "localhost", "127.0.0.1");
    assertThat(leader.certified("search-service-1").identity().service())
        .isEqualTo(ServiceKind.REPLICATION_SERVICE);
    assertThat(leader.certified("search-service-1").hosts()).containsExactly("search-service-1");
    assertThat(leader.certified("broker-setup").identity().service()).isEqualTo(ServiceKind.BROKER);
    assertThat(leader.certified("follower").identity().service()).isEqualTo(ServiceKind.CONSUMER);
    assertThat(follower.certified("prometheus").identity().service())
        .isEqualTo(ServiceKind.MONITOR);
    assertThat(follower.certified("follower-ccr-follower-1").identity().service())
        .isEqualTo(ServiceKind.CCR_FOLLOWER);
  }

  @Test
  void usersAreWrittenWithHashesOfTheirPasswords() throws IOException {
    Path leader = folder.resolve("secrets/leader");
    JsonNode users = Json.mapper().readTree(Files.readAllBytes(leader.resolve("users.json")));
    String admin = Files.readString(leader.resolve("admin.password"));

    assertThat(users.path("users").propertyNames()).containsOnly("admin", "monitor", "follower");
    assertThat(users.toString()).doesNotContain(admin);
    assertThat(new BCryptPasswordEncoder().matches(admin, users.at("/users/admin/hash").asString()))
        .isTrue();
    assertThat(users.at("/users/monitor/opendistro_security_roles/0").asString())
        .isEqualTo("monitor");
  }

  @Test
  void aSecondRunKeepsEverythingUntilACertificateEnds() throws IOException {
    Map<Path, String> before = contents();

    write(NOW.plus(Duration.ofDays(300)), Map.of());
    assertThat(contents()).isEqualTo(before);

    write(NOW.plus(Duration.ofDays(340)), Map.of());
    Map<Path, String> after = contents();
    assertThat(after.keySet()).isEqualTo(before.keySet());
    after.forEach((file, content) -> {
      if (file.endsWith("node.pem")) {
        assertThat(content).as("%s", file).isNotEqualTo(before.get(file));
      } else if (file.endsWith("issued")) {
        assertThat(content).as("%s", file).startsWith(before.get(file));
      } else {
        assertThat(content).as("%s", file).isEqualTo(before.get(file));
      }
    });
    assertModes();
  }

  @Test
  void certificatesOfAnotherClusterAreNotUsed() {
    assertThatThrownBy(() -> write(NOW, Map.of("VARVE_CLUSTER_NAME", "books")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("of the cluster [varve], not of [books]");
  }
}
