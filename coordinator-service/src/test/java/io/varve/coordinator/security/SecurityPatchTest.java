package io.varve.coordinator.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import io.varve.security.Role;
import io.varve.security.User;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** PATCH of the security API, as OpenSearch's plugin has it. */
class SecurityPatchTest {

  private final FakeSecurity security =
      new FakeSecurity()
          .user("root", "admin")
          .user("ann")
          .role(new Role("logs", "of all teams", List.of("cluster_monitor"), List.of()));
  private final RestHarness rest = RestHarness.secured(security);

  @AfterEach
  void close() {
    rest.close();
  }

  private MockHttpServletResponse patch(String path, String body) {
    MockHttpServletRequest request = RestHarness.request("PATCH " + PluginEndpoint.API + path);
    request.addHeader("Authorization", FakeSecurity.basic("root"));
    request.setContentType("application/json");
    request.setContent(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    return rest.send(request);
  }

  private int authInfo(String user, String password) {
    MockHttpServletRequest request = RestHarness.request("GET /_plugins/_security/authinfo");
    request.addHeader("Authorization", FakeSecurity.basic(user, password));
    return rest.send(request).getStatus();
  }

  private User user(String name) {
    return security.current().state().users().get(name);
  }

  @Test
  void oneEntityIsChangedInPartsAndKeepsTheOthers() {
    MockHttpServletResponse response =
        patch(
            "roles/logs",
            "[{'op':'add','path':'/cluster_permissions/-','value':'cluster_all'},"
                + "{'op':'remove','path':'/description'}]");

    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(RestHarness.text(response))
        .isEqualTo("{\"status\":\"OK\",\"message\":\"'logs' updated.\"}");
    assertThat(security.current().state().roles().get("logs"))
        .isEqualTo(new Role("logs", "", List.of("cluster_monitor", "cluster_all"), List.of()));
  }

  @Test
  void aUserKeepsItsPasswordUntilAPatchAddsAnother() {
    String hash = user("ann").hash();

    assertThat(
            patch(
                    "internalusers/ann",
                    "[{'op':'replace','path':'/backend_roles','value':['staff']}]")
                .getStatus())
        .isEqualTo(200);

    assertThat(user("ann").hash()).isEqualTo(hash);
    assertThat(user("ann").backendRoles()).containsExactly("staff");
    assertThat(
            patch(
                    "internalusers/ann",
                    "[{'op':'add','path':'/password','value':'another-password'}]")
                .getStatus())
        .isEqualTo(200);
    assertThat(authInfo("ann", "another-password")).isEqualTo(200);
    assertThat(user("ann").backendRoles()).containsExactly("staff");
  }

  @Test
  void severalEntitiesAreCreatedChangedAndDeletedTogether() {
    long version = security.current().state().version();

    MockHttpServletResponse response =
        patch(
            "internalusers",
            "[{'op':'add','path':'/bob','value':{'password':'bobs-password'}},"
                + "{'op':'add','path':'/root/attributes/team','value':'search'},"
                + "{'op':'remove','path':'/ann'}]");

    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(RestHarness.text(response))
        .isEqualTo("{\"status\":\"OK\",\"message\":\"Resource updated.\"}");
    assertThat(security.current().state().users()).containsOnlyKeys("root", "bob");
    assertThat(user("root").attributes()).containsEntry("team", "search");
    assertThat(authInfo("bob", "bobs-password")).isEqualTo(200);
    assertThat(security.current().state().version()).isEqualTo(version + 1);
  }

  @Test
  void aPatchThatChangesNothingIsNoChange() {
    long version = security.current().state().version();

    assertThat(
            patch("roles", "[{'op':'replace','path':'/logs/description','value':'of all teams'}]")
                .getStatus())
        .isEqualTo(200);

    assertThat(security.current().state().version()).isEqualTo(version);
  }

  @Test
  void errorsHaveTheFormOfThePlugin() {
    MockHttpServletResponse response =
        patch("roles/nothing", "[{'op':'remove','path':'/description'}]");

    assertThat(RestHarness.text(response))
        .isEqualTo("{\"status\":\"NOT_FOUND\",\"message\":\"Resource 'nothing' not found.\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "roles/nothing | {'op':'remove','path':'/description'} | 404",
        "roles/admin | {'op':'add','path':'/description','value':'x'} | 403",
        "roles | {'op':'remove','path':'/admin'} | 403",
        "roles | {'op':'remove','path':'/nothing'} | 400",
        "roles | {'op':'remove','path':'/logs'},{'op':'remove','path':'/monitor'} | 403",
        "roles | {'op':'add','path':'/a','value':1} | 400",
        "roles | {'op':'add','path':'/a/b','value':1} | 400",
        "roles | {'op':'add','path':'/a','value':{'cluster_permissions':['no_group']}} | 400",
        "roles/logs | {'op':'add','path':'/reserved','value':true} | 400",
        "roles/logs | {'op':'add','path':'/index_permissions/-','value':{'dls':'{}'}} | 400",
        "internalusers | {'op':'add','path':'/bob','value':{}} | 400",
        "internalusers/ann | {'op':'replace','path':'/hash','value':'x'} | 400",
        "internalusers/ann | {'op':'add','path':'/password','value':'short'} | 400",
        "internalusers/ann | {'op':'add','path':'/opendistro_security_roles/-','value':'x'} | 404",
        "rolesmapping | {'op':'add','path':'/nothing','value':{'users':['ann']}} | 404",
        "roles/logs | {'op':'copy','path':'/a','from':'/b'} | 400",
      })
  void badInputIsRefusedAndChangesNothing(String path, String operations, int status) {
    long version = security.current().state().version();

    MockHttpServletResponse response = patch(path, "[" + operations + "]");

    assertThat(response.getStatus()).isEqualTo(status);
    assertThat(RestHarness.json(response).at("/message").asString()).isNotEmpty();
    assertThat(security.current().state().version()).isEqualTo(version);
  }

  @ParameterizedTest
  @CsvSource(value = {"''", "{}", "[]", "[1]", "["})
  void aBodyThatIsNoPatchIsRefused(String body) {
    assertThat(patch("roles", body).getStatus()).isEqualTo(400);
  }
}
