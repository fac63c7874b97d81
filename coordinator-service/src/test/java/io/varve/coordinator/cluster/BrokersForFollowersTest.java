package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokersForFollowersTest {

  @ParameterizedTest
  @ValueSource(strings = {"broker-1.example:9094", "10.0.0.1:1,10.0.0.2:65535", "[::1]:9092"})
  void addressesAreToldAsConfigured(String addresses) {
    assertThat(BrokersForFollowers.configured(addresses).bootstrapServers()).isEqualTo(addresses);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "broker-1",
        "broker-1:",
        ":9092",
        "broker-1:0",
        "broker-1:65536",
        "broker-1:9092,",
        "broker-1:9092, broker-2:9092",
        "user@broker-1:9092",
        "broker-1:9092/path",
        "broker 1:9092"
      })
  void anythingButHostsAndPortsIsRefused(String addresses) {
    assertThatThrownBy(() -> BrokersForFollowers.configured(addresses))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "varve.kafka.remote-bootstrap-servers must be host:port,..., was [" + addresses + "]");
  }
}
