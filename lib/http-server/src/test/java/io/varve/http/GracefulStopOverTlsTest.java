package io.varve.http;

import io.varve.process.Pem;
import io.varve.tls.CertificateFolder;
import io.varve.tls.ProcessIdentity;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same over TLS: the answer on a connection without a request is encrypted like others, and the
 * end of a connection is a {@code close_notify}, without which a client could not tell a complete
 * answer from one that was cut.
 */
class GracefulStopOverTlsTest extends GracefulStopTest {

  private static final String NODE = "n1";
  private static final String BUNDLE = "spring.ssl.bundle.pem.test.";

  @TempDir Path folder;

  private CertificateFolder certificates() throws IOException {
    CertificateFolder certificates = new CertificateFolder(folder, InstantSource.system());
    if (!certificates.exists()) {
      certificates.init("test");
      certificates.add(
          new CertificateFolder.Node(
              NODE,
              ServiceKind.SHARD_SERVICE,
              ProcessIdentity.newNodeId(),
              List.of("localhost", "127.0.0.1"),
              30));
    }
    return certificates;
  }

  @Override
  List<String> properties() throws IOException {
    String node = "file:" + certificates().of(NODE).resolve(CertificateFolder.NODE_FILE);
    return List.of(
        "--" + BUNDLE + "keystore.certificate=" + node,
        "--" + BUNDLE + "keystore.private-key=" + node,
        "--server.ssl.bundle=test");
  }

  @Override
  Socket connect(int serverPort) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            Pem.trusting(certificates().trustFile())
                .getSocketFactory()
                .createSocket("127.0.0.1", serverPort);
    // Before its end, no server can answer; the client knows that it has sent nothing.
    socket.startHandshake();
    return socket;
  }
}
