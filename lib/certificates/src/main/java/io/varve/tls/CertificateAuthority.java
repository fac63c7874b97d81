package io.varve.tls;

import io.varve.process.Pem;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The authority of one cluster, which signs the certificates of its processes. Keys are on the
 * curve P-256. A process uses its certificate both as a server and as a client.
 */
public final class CertificateAuthority {

  private static final String SIGNATURE = "SHA256withECDSA";
  private static final String CURVE = "secp256r1";
  private static final int SERIAL_BITS = 127;
  private static final String KEY_ALGORITHM = "EC";
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A time during which a certificate is valid. */
  public record Validity(Instant from, Instant until) {
    public Validity {
      if (!from.isBefore(until)) {
        throw new IllegalArgumentException("valid from " + from + ", which is after " + until);
      }
    }
  }

  /** A key with its certificate. */
  public record Issued(PrivateKey key, X509Certificate certificate) {

    /** Both in one text, so that a file is replaced as a whole. */
    String pem() {
      return Pem.of(key) + Pem.of(certificate);
    }

    /** Without the key. */
    @Override
    public String toString() {
      return "Issued[" + certificate.getSubjectX500Principal() + "]";
    }
  }

  private final Issued own;

  /**
   * @throws IOException the text is not a key with its certificate
   */
  static CertificateAuthority of(String pem) throws IOException {
    return new CertificateAuthority(new Issued(Pem.key(pem), Pem.certificates(pem).getFirst()));
  }

  private CertificateAuthority(Issued own) {
    this.own = own;
  }

  /** A new authority with its own key. */
  public static CertificateAuthority create(String cluster, Validity validity) {
    try {
      KeyPair keys = newKeys();
      X500NameBuilder name = named("Varve authority of " + cluster);
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              name.build(),
              serial(),
              Date.from(validity.from()),
              Date.from(validity.until()),
              name.build(),
              keys.getPublic());
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
          .addExtension(
              Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
          .addExtension(
              Extension.subjectKeyIdentifier,
              false,
              new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
      return new CertificateAuthority(
          new Issued(keys.getPrivate(), signed(builder, keys.getPrivate())));
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException("the certificate of the authority can't be created", e);
    }
  }

  Issued own() {
    return own;
  }

  public X509Certificate certificate() {
    return own.certificate();
  }

  /**
   * Signs a certificate for a new key.
   *
   * @param hosts names and addresses under which other processes and clients reach the process
   */
  public Issued issue(ProcessIdentity identity, List<String> hosts, Validity validity) {
    try {
      KeyPair keys = newKeys();
      X500NameBuilder subject =
          named(identity.nodeId())
              .addRDN(BCStyle.OU, identity.service().text())
              .addRDN(BCStyle.O, identity.cluster());
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              own.certificate().getSubjectX500Principal(),
              serial(),
              Date.from(validity.from()),
              Date.from(validity.until()),
              new X500Principal(subject.build().getEncoded()),
              keys.getPublic());
      JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
          .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
          .addExtension(
              Extension.extendedKeyUsage,
              false,
              new ExtendedKeyUsage(
                  new KeyPurposeId[] {
                    KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                  }))
          .addExtension(
              Extension.authorityKeyIdentifier,
              false,
              identifiers.createAuthorityKeyIdentifier(own.certificate()))
          .addExtension(Extension.subjectAlternativeName, false, names(identity, hosts));
      return new Issued(keys.getPrivate(), signed(builder, own.key()));
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException("the certificate of " + identity + " can't be created", e);
    }
  }

  /**
   * Signs a list of revoked certificates, which is in use until the authority ends or signs another
   * one.
   *
   * @param number greater than that of each list before
   * @param revoked the time of the revocation by serial number
   */
  X509CRL revoke(BigInteger number, Map<BigInteger, Instant> revoked, Instant now) {
    try {
      X509v2CRLBuilder builder =
          new JcaX509v2CRLBuilder(own.certificate().getSubjectX500Principal(), Date.from(now));
      builder.setNextUpdate(own.certificate().getNotAfter());
      revoked.forEach(
          (serial, at) -> builder.addCRLEntry(serial, Date.from(at), CRLReason.keyCompromise));
      builder
          .addExtension(
              Extension.authorityKeyIdentifier,
              false,
              new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(own.certificate()))
          .addExtension(Extension.cRLNumber, false, new CRLNumber(number));
      return new JcaX509CRLConverter()
          .getCRL(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(own.key())));
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException("the list of revoked certificates can't be created", e);
    }
  }

  private static GeneralNames names(ProcessIdentity identity, List<String> hosts) {
    List<GeneralName> names = new ArrayList<>();
    names.add(new GeneralName(GeneralName.uniformResourceIdentifier, identity.uri()));
    for (String host : hosts) {
      boolean isAddress = host.contains(":") || host.matches("[0-9.]+");
      names.add(new GeneralName(isAddress ? GeneralName.iPAddress : GeneralName.dNSName, host));
    }
    return new GeneralNames(names.toArray(GeneralName[]::new));
  }

  private static X500NameBuilder named(String commonName) {
    return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, commonName);
  }

  private static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(KEY_ALGORITHM);
    generator.initialize(new ECGenParameterSpec(CURVE), RANDOM);
    return generator.generateKeyPair();
  }

  private static BigInteger serial() {
    return new BigInteger(SERIAL_BITS, RANDOM).setBit(0);
  }

  private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException, OperatorCreationException {
    return new JcaX509CertificateConverter()
        .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(key)));
  }
}
