package io.varve.http.security;

import io.varve.tls.ProcessIdentity;
import io.varve.tls.ServiceKind;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** The data node that sent a request. */
public final class CallingNode {

  private CallingNode() {}

  /**
   * The id of the node in the certificate of the request. Empty for other services, and without
   * certificates, because the calling node is then unknown.
   */
  public static Optional<String> dataNode(HttpServletRequest request) {
    return PeerCertificates.peer(request)
                instanceof PeerCertificates.Peer.Known(ProcessIdentity caller)
            && (caller.service() == ServiceKind.SHARD_SERVICE
                || caller.service() == ServiceKind.REPLICATION_SERVICE)
        ? Optional.of(caller.nodeId())
        : Optional.empty();
  }
}
