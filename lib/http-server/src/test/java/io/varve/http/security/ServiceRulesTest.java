package io.varve.http.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.tls.ServiceKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceRulesTest {

  private static final String SHARD = "/_internal/shards/{index}/{number}/";

  /** The questions of the comparison of copies, by which a strong index proves its records. */
  @ParameterizedTest
  @ValueSource(strings = {"holds", "digest", "versions", "check-files", "contradicted", "admit"})
  void aNodeAsksTheOtherCopiesWhatTheyHold(String question) {
    assertThat(ServiceRules.allow(ServiceKind.SHARD_SERVICE, "POST", SHARD + question)).isTrue();
    assertThat(ServiceRules.allow(ServiceKind.REPLICATION_SERVICE, "POST", SHARD + question))
        .isTrue();
    assertThat(ServiceRules.allow(ServiceKind.CCR_FOLLOWER, "POST", SHARD + question)).isFalse();
  }

  /** A primary of a follower asks before it reports that no copy has the shard's content. */
  @Test
  void aNodeAsksTheOthersWhatTheirFoldersHold() {
    String folders = "/_internal/folders/{index}/{number}";
    assertThat(ServiceRules.allow(ServiceKind.SHARD_SERVICE, "GET", folders)).isTrue();
    assertThat(ServiceRules.allow(ServiceKind.REPLICATION_SERVICE, "GET", folders)).isTrue();
    assertThat(ServiceRules.allow(ServiceKind.CCR_FOLLOWER, "GET", folders)).isFalse();
    assertThat(ServiceRules.allow(ServiceKind.CONSUMER, "GET", folders)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"POST,bulk", "POST,flush", "POST,rereplicate", "GET,docs", "GET,stats"})
  void onlyACoordinatorSendsRequestsOfUsers(String method, String request) {
    for (ServiceKind service : ServiceKind.values()) {
      assertThat(ServiceRules.allow(service, method, SHARD + request))
          .as("%s", service)
          .isEqualTo(service == ServiceKind.COORDINATOR);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"files", "files/{rest}", "snapshots", "bundle"})
  void copiesAndConsumersReadFiles(String path) {
    assertThat(ServiceRules.allow(ServiceKind.REPLICATION_SERVICE, "GET", SHARD + path)).isTrue();
    assertThat(ServiceRules.allow(ServiceKind.CONSUMER, "GET", SHARD + path)).isTrue();
    assertThat(ServiceRules.allow(ServiceKind.CCR_FOLLOWER, "GET", SHARD + path)).isFalse();
    assertThat(ServiceRules.allow(ServiceKind.BROKER, "GET", SHARD + path)).isFalse();
  }
}
