package io.varve.tls;

import io.varve.process.Pem;
import io.varve.process.RevocationList;
import io.varve.process.Revocations;
import java.io.IOException;
import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The revoked certificates of a folder with an authority. While the authority is replaced, both
 * authorities sign the same list: serial numbers are random, so each identifies one certificate of
 * either authority.
 *
 * @param number the number of the newest list; zero if there is none
 * @param revoked the time of the revocation by serial number
 */
record RevokedCertificates(BigInteger number, Map<BigInteger, Instant> revoked) {

  RevokedCertificates {
    revoked = Map.copyOf(revoked);
  }

  /**
   * @param text the lists; null if there are none
   * @throws IOException the lists can't be used
   */
  static RevokedCertificates of(@Nullable String text, Collection<X509Certificate> authorities)
      throws IOException {
    return switch (Revocations.NONE.next(text, authorities)) {
      case Revocations.Outcome.Refused(String reason) ->
          throw new IOException("the list of revoked certificates can't be used: " + reason);
      case Revocations.Outcome.Accepted(Revocations(List<RevocationList> lists)) -> {
        BigInteger number = BigInteger.ZERO;
        Map<BigInteger, Instant> revoked = new TreeMap<>();
        for (RevocationList list : lists) {
          number = number.max(list.number());
          revoked.putAll(list.revoked());
        }
        yield new RevokedCertificates(number, revoked);
      }
    };
  }

  /** Certificates that are already revoked keep the time of their revocation. */
  RevokedCertificates with(Collection<BigInteger> serials, Instant now) {
    Map<BigInteger, Instant> more = new TreeMap<>(revoked);
    serials.forEach(serial -> more.putIfAbsent(serial, now));
    return new RevokedCertificates(number, more);
  }

  /**
   * The next list of these authorities. Its number is the time in seconds, so that it also
   * increases if the file of the last list was lost.
   */
  String signed(List<CertificateAuthority> authorities, Instant now) {
    BigInteger next = number.add(BigInteger.ONE).max(BigInteger.valueOf(now.getEpochSecond()));
    StringBuilder text = new StringBuilder();
    for (CertificateAuthority authority : authorities) {
      text.append(Pem.of(authority.revoke(next, revoked, now)));
    }
    return text.toString();
  }
}
