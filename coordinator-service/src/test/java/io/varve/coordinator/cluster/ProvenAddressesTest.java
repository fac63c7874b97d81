package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.NodeHeartbeat;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProvenAddressesTest {

  private final Map<String, String> nodes =
      new HashMap<>(Map.of("https://a", "a", "https://b", "b"));
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger proven = new AtomicInteger();
  private final AtomicLong generation = new AtomicLong();
  private final ProvenAddresses addresses =
      new ProvenAddresses(this::nodeAt, Runnable::run, nanos::get, generation::get);

  private Optional<String> nodeAt(String url) throws IOException {
    asked.incrementAndGet();
    String node = nodes.get(url);
    if (node == null) {
      throw new IOException("refused");
    }
    return Optional.of(node);
  }

  private boolean isProven(String nodeId, String url) {
    NodeHeartbeat.Load load = new NodeHeartbeat.Load(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    return addresses.isProven(
        new NodeHeartbeat(nodeId, nodeId, "i", Set.of(), url, 0, load), proven::incrementAndGet);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void theNodeWithItsOwnAddressCounts() {
    assertThat(isProven("a", "https://a")).isTrue();
    assertThat(isProven("a", "https://a")).isTrue();
    assertThat(asked).hasValue(1);
    assertThat(proven).hasValue(1);
  }

  @Test
  void anotherNodesAddressDoesNotCountAndDisturbsNeither() {
    assertThat(isProven("a", "https://a")).isTrue();
    for (int i = 0; i < 3; i++) {
      assertThat(isProven("a", "https://b")).isFalse();
      assertThat(isProven("a", "https://a")).isTrue();
    }
    assertThat(asked).as("asked no more than once in 2 s").hasValue(2);
    pass(Duration.ofSeconds(2));
    assertThat(isProven("a", "https://b")).isFalse();
    assertThat(asked).hasValue(3);
  }

  /** A revoked certificate is that of no node. */
  @Test
  void afterAChangeOfCertificatesAnAddressIsAskedAgainAtOnce() {
    assertThat(isProven("a", "https://a")).isTrue();
    nodes.put("https://a", "");
    assertThat(isProven("a", "https://a")).isTrue();
    generation.incrementAndGet();
    assertThat(isProven("a", "https://a")).isFalse();
    nodes.put("https://a", "a");
    pass(Duration.ofSeconds(2));
    assertThat(isProven("a", "https://a")).isTrue();
  }

  @Test
  void anAddressThatAnswersLaterIsProvenThen() {
    assertThat(isProven("c", "https://c")).isFalse();
    nodes.put("https://c", "c");
    assertThat(isProven("c", "https://c")).isFalse();
    pass(Duration.ofSeconds(2));
    assertThat(isProven("c", "https://c")).isTrue();
  }

  @Test
  void aNodeThatIsStoppedStaysAndOneThatIsReplacedDoesNot() {
    assertThat(isProven("a", "https://a")).isTrue();
    nodes.remove("https://a");
    pass(Duration.ofMinutes(1));
    assertThat(isProven("a", "https://a")).isTrue();
    nodes.put("https://a", "new");
    pass(Duration.ofMinutes(1));
    assertThat(isProven("a", "https://a")).isFalse();
    assertThat(isProven("new", "https://a")).isTrue();
  }
}
