package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.process.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The credentials and TLS context with which a server is called.
 *
 * @param tls the context of its connections; empty without TLS
 * @param authorization the value of the header {@code Authorization}; empty without security
 */
record ServerAccess(Optional<SSLContext> tls, String authorization) {

  /** Without security. */
  static final ServerAccess PLAIN = new ServerAccess(Optional.empty(), "");

  /**
   * Access as the administrator of a secured cluster.
   *
   * @param data the data folder of the cluster, which is on this machine
   */
  static ServerAccess admin(Path data) throws IOException {
    Path security = data.resolve("security");
    String password = Files.readString(security.resolve("admin.password")).strip();
    byte[] user = ("admin:" + password).getBytes(UTF_8);
    return new ServerAccess(
        Optional.of(Pem.trusting(security.resolve("ca.pem"))),
        "Basic " + Base64.getEncoder().encodeToString(user));
  }
}
