package io.varve.http.security;

import io.varve.rpc.ApiException;
import jakarta.servlet.http.HttpServletRequest;

/** Checks on whose behalf a process calls. */
public final class CallingNode {

  private CallingNode() {}

  /**
   * Checks that a call on behalf of a node comes from that node. Without certificates nothing says
   * which node calls.
   *
   * @throws ApiException 403: the certificate is that of another node
   */
  public static void require(HttpServletRequest request, String nodeId) {
    if (PeerCertificates.peer(request) instanceof PeerCertificates.Peer.Known(var caller)
        && !caller.nodeId().equals(nodeId)) {
      throw new ApiException(
          403,
          "security_exception",
          "the certificate is that of the node ["
              + caller.nodeId()
              + "], which may not act for the node ["
              + nodeId
              + "]");
    }
  }
}
