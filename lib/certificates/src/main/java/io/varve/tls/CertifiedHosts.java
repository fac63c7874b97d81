package io.varve.tls;

import java.io.IOException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The names and addresses in a certificate under which its process is reached. */
final class CertifiedHosts {

  private static final int TYPE_DNS = 2;
  private static final int TYPE_ADDRESS = 7;

  private CertifiedHosts() {}

  static List<String> of(X509Certificate certificate) throws IOException {
    List<String> hosts = new ArrayList<>();
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      for (List<?> name : names == null ? List.<List<?>>of() : names) {
        if (name.get(0) instanceof Integer type && (type == TYPE_DNS || type == TYPE_ADDRESS)) {
          hosts.add(String.valueOf(name.get(1)));
        }
      }
    } catch (CertificateParsingException e) {
      throw new IOException("malformed certificate", e);
    }
    return hosts;
  }
}
