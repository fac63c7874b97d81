package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteAddressesTest {

  private static final RemoteAddresses SOME =
      new RemoteAddresses(List.of("*.leader.example:9200", "10.0.0.*:9092", "[::1]:9200"));

  @ParameterizedTest
  @ValueSource(
      strings = {"a.leader.example:9200", "A.Leader.EXAMPLE:9200", "10.0.0.7:9092", "[::1]:9200"})
  void whatMatchesAPatternIsAllowed(String address) {
    assertThat(SOME.allow(address)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.leader.example:9201",
        "leader.example:9200",
        "169.254.169.254:80",
        "10.0.0.7:9092/x",
        "x@10.0.0.7:9092",
        "10.0.0.7:9092#.leader.example:9200",
        "evil.example:80/?a.leader.example:9200",
        "",
      })
  void everythingElseIsNot(String address) {
    assertThat(SOME.allow(address)).isFalse();
    assertThatThrownBy(() -> SOME.require(address))
        .isInstanceOf(RemoteCluster.RefusedException.class)
        .hasMessageContaining("varve.remote-addresses");
  }

  @Test
  void ofSeveralAddressesAllMustBeAllowed() {
    assertThatCode(() -> SOME.require("10.0.0.7:9092, 10.0.0.8:9092")).doesNotThrowAnyException();
    assertThatThrownBy(() -> SOME.require("10.0.0.7:9092,10.1.0.8:9092"))
        .hasMessageContaining("[10.1.0.8:9092]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"host", "host:0", "host:65536", "host:1/path", "http://host:1", "a b:1"})
  void anAddressIsAHostAndAPortAlone(String text) {
    assertThat(RemoteAddresses.isAddress(text)).isFalse();
    assertThat(RemoteAddresses.ANY.allow(text)).isFalse();
    assertThat(new SettingKind.Addresses().refusal("cluster.remote.east.seeds", text)).isNotNull();
  }

  @Test
  void byDefaultSecurityAllowsNone() {
    ClusterSecret secret = new ClusterSecret("0123456789abcdef0123456789abcdef");
    assertThat(RemoteAddresses.configured(null, new ProcessCredentials.None()))
        .isEqualTo(RemoteAddresses.ANY);
    assertThat(RemoteAddresses.configured(null, new ProcessCredentials.Secret(secret)))
        .isEqualTo(RemoteAddresses.NONE);
    assertThat(RemoteAddresses.configured(List.of("a:1"), new ProcessCredentials.Secret(secret)))
        .isEqualTo(new RemoteAddresses(List.of("a:1")));
  }

  @Test
  void aSeedThatIsNotAllowedIsNotCalled() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          calls.incrementAndGet();
          exchange.close();
        });
    server.start();
    String seed = "127.0.0.1:" + server.getAddress().getPort();
    try (HttpClient http = HttpClient.newHttpClient();
        RemoteFiles files = new RemoteFiles(Path.of("remote"), http, SOME)) {
      RemoteCluster east = files.cluster(new RemoteSettings("east", List.of(seed)));
      assertThatThrownBy(east::describe)
          .isInstanceOf(RemoteCluster.RefusedException.class)
          .hasMessageContaining("[" + seed + "]");
      assertThatThrownBy(() -> files.requireBrokers(seed)).isInstanceOf(IOException.class);
    } finally {
      server.stop(0);
    }
    assertThat(calls).hasValue(0);
  }
}
