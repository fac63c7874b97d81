package io.varve.coordinator.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestructiveNamesTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void twoIndices() {
    rest.cluster.index("a", 1).index("b", 1);
    rest.cluster.setting(ClusterSettings.DESTRUCTIVE_REQUIRES_NAME, "true");
  }

  @AfterEach
  void close() {
    rest.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"_all", "*", "a*", "a,_all", "_all,nosuch", "a,*,-b", "<_all>"})
  void whatIsNotNamedIsNeitherDeletedNorClosed(String expression) {
    assertThat(rest.call("DELETE /" + expression + "?ignore_unavailable=true").getStatus())
        .isEqualTo(400);
    assertThat(rest.call("POST /" + expression + "/_close?ignore_unavailable=true").getStatus())
        .isEqualTo(400);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a,b", "a,b_all"})
  void whatIsNamedMayGo(String expression) {
    rest.call("DELETE /" + expression + "?ignore_unavailable=true");

    assertThat(rest.cluster.commands()).isNotEmpty();
  }
}
