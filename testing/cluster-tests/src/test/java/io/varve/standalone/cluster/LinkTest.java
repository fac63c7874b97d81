package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

class LinkTest {

  @Test
  void whatIsSentWhileTheLinkIsCutArrivesWhenItIsMended() throws Exception {
    try (ServerSocket process = listening();
        Link link = Link.open(0, process.getLocalPort());
        Socket caller = new Socket(InetAddress.getLoopbackAddress(), link.port());
        Socket called = process.accept()) {
      caller.getOutputStream().write(1);
      assertThat(called.getInputStream().read()).isEqualTo(1);
      link.cut(true);
      called.getOutputStream().write(2);
      caller.setSoTimeout(200);
      assertThatThrownBy(() -> caller.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      link.cut(false);
      caller.setSoTimeout(60_000);
      assertThat(caller.getInputStream().read()).isEqualTo(2);
    }
  }

  @Test
  void aCallerOfAProcessThatIsGoneSeesItsConnectionEnd() throws Exception {
    // Nothing listens on port 1, whereas a port found free earlier might be in use by now.
    try (Link link = Link.open(0, 1);
        Socket caller = new Socket(InetAddress.getLoopbackAddress(), link.port())) {
      caller.setSoTimeout(60_000);
      assertThat(caller.getInputStream().read()).isEqualTo(-1);
    }
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }
}
