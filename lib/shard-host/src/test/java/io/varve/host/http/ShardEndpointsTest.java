package io.varve.host.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShardEndpointsTest {

  private static final ShardEndpoint NOTHING = (_, _, _, _) -> {};

  @Test
  void joinsTheEndpointsOfAllFeatures() {
    Stream<ShardEndpoints> features =
        Stream.of(() -> Map.of("GET a", NOTHING), () -> Map.of("POST a", NOTHING));

    assertThat(ShardEndpoints.all(features)).containsOnlyKeys("GET a", "POST a");
  }

  @Test
  void refusesTwoEndpointsOfOneMethodAndName() {
    Stream<ShardEndpoints> features =
        Stream.of(() -> Map.of("GET a", NOTHING), () -> Map.of("GET a", NOTHING));

    assertThatThrownBy(() -> ShardEndpoints.all(features))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("[GET a]");
  }
}
