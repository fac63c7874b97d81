package io.varve.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeTopicTest {

  @Test
  void aTopicNamesTheClusterAndTheIndex() {
    ChangeTopic topic = ChangeTopic.of("varve.my.ops.cluster.ops.aB3_x");

    assertThat(topic).isEqualTo(new ChangeTopic("my.ops.cluster", "aB3_x"));
    assertThat(topic.operations()).isEqualTo("varve.my.ops.cluster.ops.aB3_x");
    assertThat(topic.manifests()).isEqualTo("varve.my.ops.cluster.manifests.aB3_x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "books", "varve.main.manifests.aB3_x", "varve.ops.aB3_x"})
  void otherTopicsAreRefused(String topic) {
    assertThatThrownBy(() -> ChangeTopic.of(topic))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[" + topic + "]");
  }
}
