package io.varve.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The identity of a process in its certificate, as one of the subject alternative names:
 *
 * <pre>
 *   urn:varve:CLUSTER:SERVICE:NODE_ID
 * </pre>
 */
public record ProcessIdentity(String cluster, ServiceKind service, String nodeId) {

  private static final String PREFIX = "urn:varve:";
  private static final String NAME = "[A-Za-z0-9_.-]{1,100}";

  /** The length of the ids that nodes choose. */
  private static final int NODE_ID_LENGTH = 22;

  /** The type of a URI among subject alternative names (RFC 5280). */
  private static final int URI = 6;

  public ProcessIdentity {
    requireCluster(cluster);
    require("id of the node", nodeId);
  }

  /**
   * @throws IllegalArgumentException the name can't be part of a certificate
   */
  static void requireCluster(String name) {
    require("name of the cluster", name);
  }

  private static void require(String what, String value) {
    if (!value.matches(NAME)) {
      throw new IllegalArgumentException(
          "the "
              + what
              + " must be 1 to 100 letters, digits, '_', '-' or '.', was ["
              + value
              + "]");
    }
  }

  /** An id for a node whose data folder has none yet; the node takes that of its certificate. */
  public static String newNodeId() {
    return UUID.randomUUID().toString().replace("-", "").substring(0, NODE_ID_LENGTH);
  }

  String uri() {
    return PREFIX + cluster + ":" + service.text() + ":" + nodeId;
  }

  /** Empty for a certificate that names no process of Varve, or several. */
  public static Optional<ProcessIdentity> of(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      if (names == null) {
        return Optional.empty();
      }
      List<String> uris =
          names.stream()
              .filter(name -> Objects.equals(name.get(0), URI))
              .map(name -> String.valueOf(name.get(1)))
              .filter(uri -> uri.startsWith(PREFIX))
              .toList();
      return uris.size() == 1 ? parse(uris.getFirst()) : Optional.empty();
    } catch (CertificateParsingException | IllegalArgumentException e) {
      // A malformed name identifies no process.
      return Optional.empty();
    }
  }

  private static Optional<ProcessIdentity> parse(String uri) {
    String[] parts = uri.substring(PREFIX.length()).split(":", -1);
    return parts.length == 3
        ? ServiceKind.of(parts[1]).map(kind -> new ProcessIdentity(parts[0], kind, parts[2]))
        : Optional.empty();
  }
}
