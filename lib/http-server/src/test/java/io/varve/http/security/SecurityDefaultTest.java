package io.varve.http.security;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

class SecurityDefaultTest {

  private static void initialize(Map<String, Object> properties) {
    try (GenericApplicationContext context = new GenericApplicationContext()) {
      context
          .getEnvironment()
          .getPropertySources()
          .addFirst(new MapPropertySource("test", new HashMap<>(properties)));
      new SecurityDefault().initialize(context);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.8.9.1", "::1", "localhost"})
  void loopbackNeedsNoDecision(String address) {
    assertThatCode(() -> initialize(Map.of("server.address", address))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "10.1.2.3", "192.0.2.1", ""})
  void anotherAddressNeedsADecision(String address) {
    assertThatThrownBy(() -> initialize(Map.of("server.address", address)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("varve.security.enabled")
        .hasMessageContaining("[" + address + "]");
  }

  @Test
  void aDecisionSuffices() {
    assertThatCode(() ->
            initialize(Map.of("server.address", "0.0.0.0", "varve.security.enabled", "false")))
        .doesNotThrowAnyException();
    assertThatCode(() ->
            initialize(
                Map.of(
                    "server.address", "0.0.0.0",
                    "varve.security.enabled", "true",
                    "varve.security.tls.folder", "/etc/varve")))
        .doesNotThrowAnyException();
  }

  @Test
  void passwordsThatCrossANetworkNeedTls() {
    assertThatThrownBy(
            () -> initialize(Map.of("server.address", "0.0.0.0", "varve.security.enabled", "true")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("varve.security.tls.folder");
    assertThatCode(() ->
            initialize(Map.of("server.address", "127.0.0.1", "varve.security.enabled", "true")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "false"})
  void certificatesNeedSecurity(String enabled) {
    assertThatThrownBy(() ->
            initialize(
                Map.of(
                    "server.address", "127.0.0.1",
                    "varve.security.enabled", enabled,
                    "varve.security.tls.folder", "/etc/varve")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("varve.security.enabled");
  }

  @Test
  void aSecondPortWithoutUsersIsRefused() {
    assertThatThrownBy(() ->
            initialize(
                Map.of(
                    "server.address", "127.0.0.1",
                    "varve.security.enabled", "true",
                    "management.server.port", "9201")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("management.server.port");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 65_536})
  void aPortOutOfRangeIsRefused(int port) {
    assertThatThrownBy(() -> new SecurityProperties.Tls(null, port))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("varve.security.tls.internal-port");
  }

  @Test
  void aSecondPortIsCheckedToo() {
    assertThatThrownBy(() ->
            initialize(
                Map.of(
                    "server.address", "127.0.0.1",
                    "management.server.port", "9201",
                    "management.server.address", "0.0.0.0")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("management.server.address");
  }

  @Test
  void securityNeedsASecret() {
    assertThatThrownBy(() ->
            new SecurityProperties(
                true,
                null,
                null,
                new SecurityProperties.Tls(null, 0),
                new SecurityProperties.FailedLogins(10, Duration.ofMinutes(1), 10_000),
                8,
                1_000,
                256,
                10_000,
                1_000,
                null,
                false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cluster-secret-file");
  }

  @ParameterizedTest
  @CsvSource({
    "0,60,10000,8,1000,256,10000,1000",
    "10001,60,10000,8,1000,256,10000,1000",
    "10,0,10000,8,1000,256,10000,1000",
    "10,60,99,8,1000,256,10000,1000",
    "10,60,1000001,8,1000,256,10000,1000",
    "10,60,10000,0,1000,256,10000,1000",
    "10,60,10000,73,1000,256,10000,1000",
    "10,60,10000,8,0,256,10000,1000",
    "10,60,10000,8,1000,15,10000,1000",
    "10,60,10000,8,1000,1025,10000,1000",
    "10,60,10000,8,1000,256,99,1000",
    "10,60,10000,8,1000,256,1000001,1000",
    "10,60,10000,8,1000,256,10000,0",
    "10,60,10000,8,1000,256,10000,1000001"
  })
  void valuesOutOfRangeAreRefused(
      int limit, int seconds, int pairs, int length, int cache, int name, int audit, int requests) {
    assertThatThrownBy(() ->
            new SecurityProperties(
                false,
                null,
                null,
                new SecurityProperties.Tls(null, 0),
                new SecurityProperties.FailedLogins(limit, Duration.ofSeconds(seconds), pairs),
                length,
                cache,
                name,
                audit,
                requests,
                null,
                false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("varve.security.");
  }
}
