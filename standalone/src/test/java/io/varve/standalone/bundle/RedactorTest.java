package io.varve.standalone.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {

  private final Redactor redactor = new Redactor(List.of("known-canary", "abc"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password=CANARY",
        "varve.store.s3.secret-key: CANARY",
        "\"s3.access-key\" : \"CANARY\"",
        "{\"secretKey\":\"CANARY with \\\" in it CANARY\"}",
        "{\\\"password\\\":\\\"CANARY\\\"}",
        "-Dvarve.any.token=CANARY -Xmx1g",
        "VARVE_STORE_S3_SECRET_KEY=CANARY",
        "api_key='CANARY and more'",
        "Authorization: Basic CANARYCANARY==",
        "authorization [Bearer CANARY.CANARY-CANARY]",
        "https://user:CANARY@host/path",
        "took[1s], took_millis[1000], total_hits[1],"
            + " source[{\"query\":{\"match\":{\"a\":\"CANARY\"}}}]",
        "the value known-canary in the middle"
      })
  void secretsAreRemoved(String text) {
    assertThat(redactor.redact(text))
        .doesNotContain("CANARY", "known-canary")
        .contains(Redactor.REMOVED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"analysis.analyzer.a.tokenizer\" : \"standard\"",
        "heap abc 12 %",
        "\"key\" : 7",
        "GET /_cluster/health: status 503",
        "authorization failed for the user eve",
        "\"keyword\":\"x\""
      })
  void otherTextIsKept(String text) {
    assertThat(redactor.redact(text)).isEqualTo(text);
  }

  @Test
  void jsonRemainsJson() {
    String json =
        "{\"a.password\" : \"x\", \"b\": {\"token\": 12, \"secrets\" : [1], \"c\":\"d\"}}";

    var tree = Json.mapper().readTree(redactor.redact(json));

    assertThat(tree.path("a.password").asString()).isEqualTo(Redactor.REMOVED);
    assertThat(tree.at("/b/c").asString()).isEqualTo("d");
  }
}
