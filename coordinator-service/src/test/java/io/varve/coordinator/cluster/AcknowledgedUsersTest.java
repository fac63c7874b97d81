package io.varve.coordinator.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.FeatureLevels;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;

/** A client changes users through one of two coordinators, and then sends requests to the other. */
@Tag("system")
@Tag("broker")
class AcknowledgedUsersTest extends CoordinatorCluster {

  private static final String USERS = "/_plugins/_security/api/internalusers/";
  private static final int CHANGES = 30;
  private static final int UNAVAILABLE = 503;

  private ConfigurableApplicationContext first;
  private String url = "";
  private String otherUrl = "";
  private String admin = "";

  @BeforeEach
  void startTwo() throws Exception {
    Path secret = Files.createFile(data.resolve("cluster.secret"));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(secret, "a-secret-that-is-long-enough-for-a-cluster");
    first = start("first");
    ConfigurableApplicationContext second = start("second");
    url = url(first);
    otherUrl = url(second);
    Path password = data.resolve("security").resolve("admin.password");
    await()
        .until(() ->
            Files.exists(password)
                && node(first).started().isDone()
                && node(second).started().isDone()
                && node(first).state().nodes().size() == 2
                && node(first).state().featureLevel() == FeatureLevels.NEWEST);
    admin = basic("admin", Files.readString(password).strip());
    await()
        .until(() ->
            status("GET", url + "/", admin, "") == 200
                && status("GET", otherUrl + "/", admin, "") == 200);
  }

  private ConfigurableApplicationContext start(String name) {
    return startCoordinator(
        name,
        NEVER_MILLIS,
        NEVER_MILLIS,
        "--varve.security.enabled=true",
        "--varve.security.cluster-secret-file=" + data.resolve("cluster.secret"),
        "--varve.security.folder=" + data.resolve("security"));
  }

  private static String basic(String user, String password) {
    return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
  }

  /** Creates and removes a user until both are acknowledged, because the log may be late. */
  private void assertKnownToTheOther(String name) throws Exception {
    String account = otherUrl + "/_plugins/_security/authinfo";
    String user = basic(name, "a-password-of-" + name);
    String body = "{\"password\":\"a-password-of-" + name + "\"}";
    for (boolean repeated = false; ; repeated = true) {
      int created = status("PUT", url + USERS + name, admin, body);
      if (created == UNAVAILABLE) {
        continue;
      }
      assertThat(created).isIn(201, repeated ? 200 : 201);
      assertThat(status("GET", account, user, "")).as("after its creation").isEqualTo(200);

      int removed = status("DELETE", url + USERS + name, admin, "");
      if (removed != UNAVAILABLE) {
        assertThat(removed).isEqualTo(200);
        assertThat(status("GET", account, user, "")).as("after its removal").isEqualTo(401);
        return;
      }
    }
  }

  private static int status(String method, String url, String authorization, String body)
      throws Exception {
    return send(HttpRequest.newBuilder(URI.create(url))
            .header("Authorization", authorization)
            .method(method, HttpRequest.BodyPublishers.ofString(body)))
        .statusCode();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void theOtherCoordinatorKnowsEachUserThatWasAcknowledged() throws Exception {
    for (int i = 0; i < CHANGES; i++) {
      assertKnownToTheOther("user-" + i);
    }
  }
}
