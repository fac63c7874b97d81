package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.control.AddressProbe.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SocketProbeTest {

  private static final int LONG_MILLIS = 60_000;

  private final List<Duration> slept = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();

  private Outcome probe(String url, long delayMillis, int timeoutMillis) {
    new SocketProbe(timeoutMillis, Runnable::run, nanos -> slept.add(Duration.ofNanos(nanos)))
        .connect(url, delayMillis, outcomes::add);
    return outcomes.getLast();
  }

  @Test
  void aPortThatNothingListensOnRefuses() throws IOException {
    // Bound, so that no other process can listen on the port meanwhile.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String url = "http://127.0.0.1:" + bound.getLocalPort();
      assertThat(probe(url, 0, LONG_MILLIS)).isEqualTo(Outcome.REFUSED);
      assertThat(probe(url.replace("http:", "https:"), 0, LONG_MILLIS)).isEqualTo(Outcome.REFUSED);
    }
    assertThat(slept).isEmpty();
  }

  @Test
  void aProcessThatDoesNotReactAcceptsUntilItsBacklogIsFull() throws IOException {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket frozen = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String url = "http://127.0.0.1:" + frozen.getLocalPort();
      assertThat(probe(url, 0, LONG_MILLIS)).isEqualTo(Outcome.ACCEPTED);
      while (connects(frozen, waiting)) {
        assertThat(waiting).hasSizeLessThan(100);
      }
      assertThat(probe(url, 0, 100)).as("dropped, not refused").isEqualTo(Outcome.UNKNOWN);
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  private static boolean connects(ServerSocket server, List<Socket> waiting) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(server.getLocalSocketAddress(), 100);
      waiting.add(socket);
      return true;
    } catch (IOException e) {
      socket.close();
      return false;
    }
  }

  @Test
  void anAddressThatDoesNotExistHasNoOutcome() {
    assertThat(probe("http://node.invalid:9200", 0, LONG_MILLIS)).isEqualTo(Outcome.UNKNOWN);
    assertThat(probe("http://127.0.0.1:-1", 0, LONG_MILLIS)).isEqualTo(Outcome.UNKNOWN);
    assertThat(probe("not an address", 0, LONG_MILLIS)).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void connectsAfterTheDelay() {
    probe("http://127.0.0.1:-1", 250, LONG_MILLIS);
    assertThat(slept).containsExactly(Duration.ofMillis(250));
  }
}
