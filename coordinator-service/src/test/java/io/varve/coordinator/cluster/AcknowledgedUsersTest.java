package io.varve.coordinator.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.Topics;
import io.varve.events.FeatureLevels;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
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
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A client changes users through one of two coordinators, and then sends requests to the other.
 * That one gets each change late: it is asked first whether it has applied the change.
 */
@Tag("system")
@Tag("broker")
class AcknowledgedUsersTest extends CoordinatorCluster {

  private static final String USERS = "/_plugins/_security/api/internalusers/";
  private static final int CHANGES = 5;
  private static final int UNAVAILABLE = 503;

  /** Requests whether a coordinator has applied a change of users. */
  private static final String APPLIED = "/_internal/security/applied";

  private HeldTopic users;
  private ConfigurableApplicationContext first;
  private String url = "";
  private String otherUrl = "";
  private String admin = "";

  @BeforeEach
  void startTwo() throws Exception {
    Path secret = Files.createFile(data.resolve("cluster.secret"));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(secret, "a-secret-that-is-long-enough-for-a-cluster");
    users = new HeldTopic(new Topics(clusterName, 1).security());
    first = start("first");
    ConfigurableApplicationContext second =
        SpringApplication.withHook(_ -> new Late(), () -> start("second"));
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

  /** Delivers the changes of users to a service once it is asked for one. */
  private final class Late implements SpringApplicationRunListener, Filter {

    @Override
    public void contextPrepared(ConfigurableApplicationContext context) {
      users.contextPrepared(context);
      context.getBeanFactory().registerSingleton("late", this);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain rest)
        throws IOException, ServletException {
      if (((HttpServletRequest) request).getRequestURI().equals(APPLIED)) {
        users.release();
      }
      rest.doFilter(request, response);
    }
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
      users.hold();
      int created = status("PUT", url + USERS + name, admin, body);
      if (created == UNAVAILABLE) {
        continue;
      }
      assertThat(created).isIn(201, repeated ? 200 : 201);
      assertThat(status("GET", account, user, "")).as("after its creation").isEqualTo(200);

      users.hold();
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
