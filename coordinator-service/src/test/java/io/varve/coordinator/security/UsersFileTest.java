package io.varve.coordinator.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.Topics;
import io.varve.http.security.SecurityProperties;
import io.varve.log.InMemoryMessageLog;
import io.varve.process.SecretFile;
import io.varve.rpc.ApiException;
import io.varve.security.SecurityState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** The users and roles with which a cluster begins. */
class UsersFileTest {

  private static final String HASH = "$2a$10$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path folder;

  private static SecurityProperties properties(boolean sharedFiles) {
    return new SecurityProperties(
        false,
        null,
        null,
        new SecurityProperties.Tls(null, 0),
        new SecurityProperties.FailedLogins(10, Duration.ofMinutes(1), 10_000),
        8,
        100,
        256,
        1_000,
        1_000,
        null,
        sharedFiles);
  }

  private Path file(String json) throws IOException {
    Path file = folder.resolve("users.json");
    SecretFile.write(file, json.replace("HASH", HASH));
    return file;
  }

  private static UsersFile read(Path file, boolean shared) throws IOException {
    return UsersFile.read(file, properties(shared), new BCryptPasswordEncoder(4));
  }

  private static final String USERS =
      """
      {"users":{
         "admin":{"hash":"HASH","opendistro_security_roles":["admin"]},
         "setup":{"hash":"HASH","opendistro_security_roles":["settings"]}},
       "roles":{"settings":{"cluster_permissions":["cluster:admin/settings/update"]}}}
      """;

  @Test
  void aClusterWithoutUsersGetsThoseOfTheFile() throws Exception {
    InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);
    try (SecurityNode node =
        new SecurityNode(
            log,
            new Topics("test", 1),
            new Leader(),
            (_, _) -> Optional.empty(),
            read(file(USERS), false))) {
      node.start();
      await()
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(ApiException.class)
          .until(() -> !node.current().state().users().isEmpty());

      SecurityState state = node.current().state();
      assertThat(state.users()).containsOnlyKeys("admin", "setup");
      assertThat(state.users().get("admin").reserved()).isTrue();
      assertThat(state.users().get("admin").hash()).isEqualTo("{bcrypt}" + HASH);
      assertThat(state.users().get("setup").reserved()).isFalse();
      assertThat(state.roles().get("settings").clusterPermissions())
          .containsExactly("cluster:admin/settings/update");
      assertThat(state.version()).isEqualTo(1);
    }
  }

  private static final class Leader implements SecurityNode.Cluster {
    @Override
    public void awaitStart() {
      // The cluster log is read already.
    }

    @Override
    public String nodeId() {
      return "n1";
    }

    @Override
    public long leadingTerm() {
      return 1;
    }

    @Override
    public Optional<String> leaderUrl() {
      return Optional.empty();
    }

    @Override
    public int featureLevel() {
      return 3;
    }

    @Override
    public boolean awaitOthers(long version, Duration timeout) {
      throw new AssertionError("nobody waits for the first users");
    }
  }

  @Test
  void othersMayNotReadItUnlessFilesAreShared() throws Exception {
    Path file = file(USERS);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));

    assertThatThrownBy(() -> read(file, false)).hasMessageContaining("chmod 600");
    assertThat(read(file, true).commands()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          lacks the user admin | {"users":{"ann":{"hash":"HASH"}}}
          lacks the user admin | {"users":{"admin":{"hash":"HASH"}}}
          lacks the user admin | {}
          [groups]             | {"groups":{}}
          has a password       | {"users":{"admin":{"password":"in-the-clear"}}}
          [hash] is not        | {"users":{"admin":{"hash":"md5"}}}
          unknown field [role] | {"users":{"admin":{"role":"admin"}}}
          is refused           | {"users":
          """)
  void aMalformedFileIsRefused(String reason, String json) throws IOException {
    Path file = file(json);

    assertThatThrownBy(() -> read(file, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(reason);
  }
}
