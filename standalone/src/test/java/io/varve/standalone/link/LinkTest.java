package io.varve.standalone.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class LinkTest {

  private static final int TIMEOUT_MILLIS = 60_000;

  @Test
  void whatIsSentWhileTheLinkIsCutArrivesWhenItIsMended() throws Exception {
    try (ServerSocket process = listening();
        Link link = new LinkNetwork(LinkConditions.NONE).open(0, process.getLocalPort());
        Socket caller = call(link);
        Socket called = process.accept()) {
      caller.getOutputStream().write(1);
      assertThat(called.getInputStream().read()).isEqualTo(1);
      link.cut(true);
      called.getOutputStream().write(2);
      caller.setSoTimeout(200);
      assertThatThrownBy(() -> caller.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      link.cut(false);
      caller.setSoTimeout(TIMEOUT_MILLIS);
      assertThat(caller.getInputStream().read()).isEqualTo(2);
    }
  }

  @Test
  void aCallerOfAProcessThatIsGoneSeesItsConnectionEnd() throws Exception {
    // Nothing listens on port 1, whereas a port found free earlier might be in use by now.
    try (Link link = new LinkNetwork(LinkConditions.NONE).open(0, 1);
        Socket caller = call(link)) {
      assertThat(caller.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void theEndOfOneDirectionIsToldAndTheOtherGoesOn() throws Exception {
    try (ServerSocket process = listening();
        Link link = new LinkNetwork(LinkConditions.NONE).open(0, process.getLocalPort());
        Socket caller = call(link);
        Socket called = process.accept()) {
      caller.getOutputStream().write(1);
      caller.shutdownOutput();
      assertThat(called.getInputStream().readAllBytes()).containsExactly(1);
      called.getOutputStream().write(new byte[200_000]);
      called.close();
      assertThat(caller.getInputStream().readAllBytes()).hasSize(200_000);
    }
  }

  @Test
  void aConnectionOpensAfterTheDelayAndItsFirstBytesArriveAfterTheHandshake() throws Exception {
    ManualClock clock = new ManualClock();
    LinkNetwork network = new LinkNetwork(new LinkConditions(60, 0, 0), clock, () -> 0.5);
    try (ServerSocket process = listening();
        Link link = network.open(0, process.getLocalPort());
        Socket caller = call(link)) {
      caller.getOutputStream().write(7);
      clock.awaitThreadThatWaitsForMillis(60);
      clock.advanceToMillis(60);
      try (Socket called = process.accept()) {
        clock.awaitThreadThatWaitsForMillis(180);
        clock.advanceToMillis(180);
        assertThat(called.getInputStream().read()).isEqualTo(7);
        called.getOutputStream().write(8);
        clock.awaitThreadThatWaitsForMillis(240);
        clock.advanceToMillis(240);
        assertThat(caller.getInputStream().read()).isEqualTo(8);
      }
    }
  }

  @Test
  void bothLinksOfANetworkShareItsRate() throws Exception {
    ManualClock clock = new ManualClock();
    // 1,000 bytes per second
    LinkNetwork network = new LinkNetwork(new LinkConditions(0, 8_000, 0), clock, () -> 0.5);
    try (ServerSocket process = listening();
        Link one = network.open(0, process.getLocalPort());
        Link other = network.open(0, process.getLocalPort());
        Socket first = call(one);
        Socket firstCalled = process.accept();
        Socket second = call(other);
        Socket secondCalled = process.accept()) {
      first.getOutputStream().write(new byte[100]);
      clock.awaitThreadThatWaitsForMillis(100);
      second.getOutputStream().write(new byte[200]);
      clock.awaitThreadThatWaitsForMillis(300);
      clock.advanceToMillis(300);
      assertThat(firstCalled.getInputStream().readNBytes(100)).hasSize(100);
      assertThat(secondCalled.getInputStream().readNBytes(200)).hasSize(200);
    }
  }

  @Test
  void aConnectionThatLosesTooMuchIsResetAtBothEnds() throws Exception {
    LinkNetwork network =
        new LinkNetwork(new LinkConditions(0, 0, 1), new ManualClock(), () -> 0.0);
    try (ServerSocket process = listening();
        Link link = network.open(0, process.getLocalPort());
        Socket caller = call(link);
        Socket called = process.accept()) {
      called.setSoTimeout(TIMEOUT_MILLIS);
      caller.getOutputStream().write(1);
      assertThatThrownBy(() -> caller.getInputStream().read()).isInstanceOf(SocketException.class);
      assertThatThrownBy(() -> called.getInputStream().read()).isInstanceOf(SocketException.class);
      assertThat(link.traffic()).isEqualTo(new Link.Traffic(1, 1, 0, 0));
    }
  }

  @Test
  void theTrafficOfEachDirectionIsCounted() throws Exception {
    try (ServerSocket process = listening();
        Link link = new LinkNetwork(LinkConditions.NONE).open(0, process.getLocalPort());
        Socket caller = call(link);
        Socket called = process.accept()) {
      caller.getOutputStream().write(new byte[3]);
      assertThat(called.getInputStream().readNBytes(3)).hasSize(3);
      called.getOutputStream().write(new byte[5]);
      assertThat(caller.getInputStream().readNBytes(5)).hasSize(5);
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(link.traffic()).isEqualTo(new Link.Traffic(1, 0, 3, 5)));
    }
  }

  private static Socket call(Link link) throws IOException {
    Socket caller = new Socket(InetAddress.getLoopbackAddress(), link.port());
    caller.setSoTimeout(TIMEOUT_MILLIS);
    return caller;
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }
}
