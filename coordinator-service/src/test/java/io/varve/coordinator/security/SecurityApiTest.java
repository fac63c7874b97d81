package io.varve.coordinator.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

class SecurityApiTest {

  private static final String API = "/_plugins/_security/api/";

  private final FakeSecurity security = new FakeSecurity().user("root", "admin").user("ann");
  private final RestHarness rest = RestHarness.secured(security);

  @AfterEach
  void close() {
    rest.close();
  }

  private MockHttpServletResponse call(String authorization, String line, @Nullable String body) {
    MockHttpServletRequest request = RestHarness.request(line);
    request.addHeader("Authorization", authorization);
    if (body != null) {
      request.setContentType("application/json");
      request.setContent(body.getBytes(StandardCharsets.UTF_8));
    }
    return rest.send(request);
  }

  private MockHttpServletResponse root(String line, @Nullable String body) {
    return call(FakeSecurity.basic("root"), line, body);
  }

  @Test
  void aUserIsCreatedShownWithoutItsHashAndDeleted() {
    MockHttpServletResponse created =
        root(
            "PUT " + API + "internalusers/bob",
            "{\"password\":\"bobs-password\",\"backend_roles\":[\"staff\"],"
                + "\"attributes\":{\"team\":\"search\"}}");
    JsonNode shown = RestHarness.json(root("GET " + API + "internalusers/bob", null));

    assertThat(created.getStatus()).isEqualTo(201);
    assertThat(RestHarness.text(created))
        .isEqualTo("{\"status\":\"CREATED\",\"message\":\"'bob' created.\"}");
    assertThat(shown.at("/bob/backend_roles/0").asString()).isEqualTo("staff");
    assertThat(shown.at("/bob/hash").asString()).isEmpty();
    assertThat(RestHarness.text(root("GET " + API + "internalusers", null)))
        .doesNotContain("bcrypt");
    String bob = FakeSecurity.basic("bob", "bobs-password");
    assertThat(call(bob, "GET /_plugins/_security/authinfo", null).getStatus()).isEqualTo(200);

    assertThat(root("DELETE " + API + "internalusers/bob", null).getStatus()).isEqualTo(200);

    assertThat(call(bob, "GET /_plugins/_security/authinfo", null).getStatus()).isEqualTo(401);
    assertThat(root("GET " + API + "internalusers/bob", null).getStatus()).isEqualTo(404);
  }

  @Test
  void aRoleTakesEffectWhenItIsMapped() {
    rest.cluster.index("logs-1", 1);
    String ann = FakeSecurity.basic("ann");
    assertThat(call(ann, "GET /logs-1/_search", null).getStatus()).isEqualTo(403);

    assertThat(
            root(
                    "PUT " + API + "roles/logs",
                    "{\"index_permissions\":[{\"index_patterns\":[\"logs-*\"],"
                        + "\"allowed_actions\":[\"search\"]}]}")
                .getStatus())
        .isEqualTo(201);
    assertThat(root("PUT " + API + "rolesmapping/logs", "{\"users\":[\"ann\"]}").getStatus())
        .isEqualTo(201);
    assertThat(call(ann, "GET /logs-1/_search", null).getStatus()).isEqualTo(200);
    assertThat(call(ann, "PUT /logs-1/_doc/1", "{}").getStatus()).isEqualTo(403);

    assertThat(root("DELETE " + API + "rolesmapping/logs", null).getStatus()).isEqualTo(200);
    assertThat(call(ann, "GET /logs-1/_search", null).getStatus()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/_plugins/_security/api/internalusers/%s | {'password':'a-long-password'}",
        "/_plugins/_security/api/roles/%s | {}",
        "/_plugins/_security/api/rolesmapping/%s | {'users':['a']}",
        "/_security/api_key | {'name':'%s'}",
      })
  void aNameThatIsLongerThanConfiguredIsRefused(String path, String body) {
    long version = security.current().state().version();
    String name = "n".repeat(FakeSecurity.NAME_MAX_LENGTH + 1);

    MockHttpServletResponse refused =
        root("PUT " + path.replace("%s", name), body.replace("%s", name).replace('\'', '"'));

    assertThat(refused.getStatus()).isEqualTo(400);
    assertThat(RestHarness.text(refused)).contains("at most 64 characters");
    assertThat(security.current().state().version()).isEqualTo(version);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "roles/a | {'index_permissions':[{'index_patterns':['a'],'dls':'{}'}]} | 400",
        "roles/a | {'index_permissions':[{'index_patterns':['a'],'fls':['x']}]} | 400",
        "roles/a | {'index_permissions':[{'index_patterns':['a'],'masked_fields':['x']}]} | 400",
        "roles/a | {'index_permissions':[{'index_patterns':['a'],'allowed_actions':['x']}]} | 400",
        "roles/a | {'cluster_permissions':'x'} | 400",
        "roles/a | {'unknown':1} | 400",
        "roles/admin | {} | 403",
        "internalusers/a | {} | 400",
        "internalusers/a | {'password':'short'} | 400",
        "internalusers/a | {'hash':'not-bcrypt'} | 400",
        "internalusers/a | {'password':'a-long-password','opendistro_security_roles':['x']} | 404",
        "rolesmapping/x | {'users':['a']} | 404",
        "rolesmapping/admin | {'hosts':['a']} | 400",
      })
  void badInputIsRefusedAndChangesNothing(String path, String body, int status) {
    long version = security.current().state().version();

    MockHttpServletResponse response = root("PUT " + API + path, body.replace('\'', '"'));

    assertThat(response.getStatus()).isEqualTo(status);
    assertThat(RestHarness.json(response).at("/message").asString()).isNotEmpty();
    assertThat(security.current().state().version()).isEqualTo(version);
  }

  @Test
  void aKeyHasTheRightsOfItsUserAndIsShownOnce() {
    JsonNode created = RestHarness.json(root("POST /_security/api_key", "{\"name\":\"importer\"}"));
    String header = "ApiKey " + created.path("encoded").asString();

    assertThat(call(header, "GET /", null).getStatus()).isEqualTo(200);
    String list = RestHarness.text(root("GET /_security/api_key", null));
    assertThat(list)
        .contains(created.path("id").asString())
        .doesNotContain(created.path("api_key").asString())
        .doesNotContain("hash");
    assertThat(call(header, "POST /_security/api_key", "{\"name\":\"x\"}").getStatus())
        .isEqualTo(403);

    JsonNode invalidated =
        RestHarness.json(
            root(
                "DELETE /_security/api_key",
                "{\"ids\":[\"" + created.path("id").asString() + "\"]}"));

    assertThat(invalidated.path("invalidated_api_keys").size()).isEqualTo(1);
    assertThat(call(header, "GET /", null).getStatus()).isEqualTo(401);
  }

  @Test
  void usersManageOnlyTheirOwnKeys() {
    String ann = FakeSecurity.basic("ann");
    String own =
        RestHarness.json(call(ann, "POST /_security/api_key", "{\"name\":\"a\"}"))
            .path("id")
            .asString();
    String others =
        RestHarness.json(root("POST /_security/api_key", "{\"name\":\"r\"}")).path("id").asString();

    assertThat(RestHarness.text(call(ann, "GET /_security/api_key", null)))
        .contains(own)
        .doesNotContain(others);
    assertThat(call(ann, "DELETE /_security/api_key", "{\"ids\":[\"" + others + "\"]}").getStatus())
        .isEqualTo(403);
    assertThat(call(ann, "DELETE /_security/api_key", "{\"ids\":[\"" + own + "\"]}").getStatus())
        .isEqualTo(200);
    assertThat(security.current().state().apiKeys()).containsOnlyKeys(others);
  }

  @Test
  void thePasswordIsChangedOnlyWithTheCurrentOne() {
    MockHttpServletResponse refused =
        root(
            "PUT " + API + "account",
            "{\"current_password\":\"wrong\",\"password\":\"another-password\"}");

    assertThat(refused.getStatus()).isEqualTo(400);
    assertThat(root("GET " + API + "account", null).getStatus()).isEqualTo(200);
  }
}
