package io.varve.process;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A list of revoked certificates (an X.509 CRL) that an authority signed.
 *
 * @param number grows with each list of the authority
 * @param nextUpdate when the authority publishes the next list; null: not stated
 * @param revoked the time of the revocation by the serial number of the certificate
 */
public record RevocationList(
    X509Certificate authority,
    BigInteger number,
    @Nullable Instant nextUpdate,
    Map<BigInteger, Instant> revoked) {

  private static final String NUMBER = "2.5.29.20";
  private static final int OCTETS = 0x04;
  private static final int INTEGER = 0x02;

  /** The position of "sign lists" among the usages of a key (RFC 5280). */
  private static final int SIGNS_LISTS = 6;

  public RevocationList {
    revoked = Map.copyOf(revoked);
  }

  /**
   * The lists in a text that one of the authorities signed. Lists of other authorities are ignored.
   *
   * @throws IOException the text contains a malformed list, a list without a number, or no list
   */
  static List<RevocationList> signed(String text, Collection<X509Certificate> authorities)
      throws IOException {
    List<X509CRL> all = parse(text);
    List<RevocationList> signed = new ArrayList<>();
    for (X509CRL list : all) {
      Optional<X509Certificate> authority =
          authorities.stream().filter(one -> isSignedBy(list, one)).findFirst();
      if (authority.isPresent()) {
        signed.add(of(list, authority.get()));
      }
    }
    return signed;
  }

  private static List<X509CRL> parse(String text) throws IOException {
    List<X509CRL> lists = new ArrayList<>();
    try {
      for (byte[] block : Pem.blocks(Pem.REVOCATIONS, text)) {
        lists.add(
            (X509CRL)
                CertificateFactory.getInstance("X.509")
                    .generateCRL(new ByteArrayInputStream(block)));
      }
    } catch (GeneralSecurityException e) {
      throw new IOException("a list is malformed: " + e.getMessage(), e);
    }
    if (lists.isEmpty()) {
      throw new IOException("it has no list");
    }
    return lists;
  }

  private static boolean isSignedBy(X509CRL list, X509Certificate authority) {
    boolean[] usage = authority.getKeyUsage();
    if (!list.getIssuerX500Principal().equals(authority.getSubjectX500Principal())
        || (usage != null && !usage[SIGNS_LISTS])) {
      return false;
    }
    try {
      list.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static RevocationList of(X509CRL list, X509Certificate authority) throws IOException {
    if (list.hasUnsupportedCriticalExtension()) {
      throw new IOException("a list has an extension that is not supported");
    }
    Map<BigInteger, Instant> revoked = new TreeMap<>();
    Set<? extends X509CRLEntry> entries = list.getRevokedCertificates();
    if (entries != null) {
      entries.forEach(
          entry -> revoked.put(entry.getSerialNumber(), entry.getRevocationDate().toInstant()));
    }
    Date next = list.getNextUpdate();
    return new RevocationList(
        authority, number(list), next == null ? null : next.toInstant(), revoked);
  }

  /** An extension is an integer inside of an octet string, both shorter than 128 bytes. */
  private static BigInteger number(X509CRL list) throws IOException {
    byte[] value = list.getExtensionValue(NUMBER);
    if (value == null) {
      throw new IOException("a list has no number");
    }
    if (value.length < 5
        || value[0] != OCTETS
        || value[1] != value.length - 2
        || value[2] != INTEGER
        || value[3] != value.length - 4) {
      throw new IOException("the number of a list is malformed");
    }
    return new BigInteger(value, 4, value.length - 4);
  }

  /** Whether both lists are of the same authority. */
  boolean isOf(X509Certificate other) {
    return authority.getPublicKey().equals(other.getPublicKey());
  }
}
