package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublishAddressTest {

  @Test
  void theAddressOfTheServerIsPublishedUnlessAnotherIsConfigured() {
    PublishAddress plain = new PublishAddress(false, 9301);
    assertThat(plain.url(null, "127.0.0.1")).isEqualTo("http://127.0.0.1:9301");
    assertThat(plain.url("", "127.0.0.1")).isEqualTo("http://127.0.0.1:9301");
    assertThat(plain.url("search.example:80", "0.0.0.0")).isEqualTo("http://search.example:80");
    assertThat(plain.url("[::1]:9300", "0.0.0.0")).isEqualTo("http://[::1]:9300");
  }

  @Test
  void theAddressOfAServerWithTlsIsOneOfHttps() {
    PublishAddress secured = new PublishAddress(true, 9301);
    assertThat(secured.url(null, "127.0.0.1")).isEqualTo("https://127.0.0.1:9301");
    assertThat(secured.url("node.example:9300", "0.0.0.0")).isEqualTo("https://node.example:9300");
  }

  @ParameterizedTest
  @ValueSource(strings = {"search.example", "search.example:0", "a b:1", ":9200", "host:1/path"})
  void whatIsNoHostAndPortIsRefused(String publish) {
    assertThatThrownBy(() -> new PublishAddress(false, 1).url(publish, "h"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("varve.publish-address must be host:port, was [" + publish + "]");
  }
}
