package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublishAddressTest {

  @Test
  void theAddressOfTheServerIsPublishedUnlessAnotherIsConfigured() {
    assertThat(PublishAddress.url(null, "127.0.0.1", 9301)).isEqualTo("http://127.0.0.1:9301");
    assertThat(PublishAddress.url("", "127.0.0.1", 9301)).isEqualTo("http://127.0.0.1:9301");
    assertThat(PublishAddress.url("search.example:80", "0.0.0.0", 9301))
        .isEqualTo("http://search.example:80");
    assertThat(PublishAddress.url("[::1]:9300", "0.0.0.0", 9301)).isEqualTo("http://[::1]:9300");
  }

  @ParameterizedTest
  @ValueSource(strings = {"search.example", "search.example:0", "a b:1", ":9200", "host:1/path"})
  void whatIsNoHostAndPortIsRefused(String publish) {
    assertThatThrownBy(() -> PublishAddress.url(publish, "h", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("varve.publish-address must be host:port, was [" + publish + "]");
  }
}
