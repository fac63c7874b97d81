package io.varve.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class FreePortsTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @Test
  void aPortIsChosenOnce() throws IOException {
    int chosen = FreePorts.next();
    assertThat(FreePorts.isFree(chosen)).isTrue();
    assertThatThrownBy(() -> FreePorts.next(chosen, chosen + 1))
        .hasMessage("no free port from %1$d to %1$d".formatted(chosen));
  }

  @Test
  void aPortThatAnotherProcessHasChosenIsNotChosen() throws IOException {
    try (DatagramSocket reservation = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0))) {
      int port = reservation.getLocalPort();
      assertThatThrownBy(() -> FreePorts.next(port, port + 1)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aPortWithAServerIsNotChosen() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, LOOPBACK)) {
      int port = server.getLocalPort();
      assertThat(FreePorts.isFree(port)).isFalse();
      assertThatThrownBy(() -> FreePorts.next(port, port + 1)).isInstanceOf(IOException.class);
    }
  }
}
