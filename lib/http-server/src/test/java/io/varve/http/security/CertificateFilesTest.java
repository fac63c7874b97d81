package io.varve.http.security;

import static io.varve.http.security.TlsService.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.process.RevocationFile;
import io.varve.tls.CertificateFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

class CertificateFilesTest {

  @TempDir Path folder;

  private final AtomicBoolean isReplaced = new AtomicBoolean();
  private final List<BigInteger> used = new ArrayList<>();

  private static BigInteger serial(SslBundle bundle) {
    return TlsConfiguration.certificate(bundle).getSerialNumber();
  }

  private static SslBundle bundle(Path files) {
    String node = files.resolve(CertificateFolder.NODE_FILE).toUri().toString();
    String authorities = files.resolve(CertificateFolder.TRUST_FILE).toUri().toString();
    return SslBundle.of(
        new PemSslStoreBundle(
            PemSslStoreDetails.forCertificate(node).withPrivateKey(node),
            PemSslStoreDetails.forCertificate(authorities)));
  }

  /** Reads the files. The certificate is replaced meanwhile, if that is asked for. */
  private SslBundle read(CertificateFolder certificates) {
    SslBundle bundle = bundle(certificates.of(NODE));
    assertThat(serial(bundle)).isNotNull();
    if (isReplaced.getAndSet(false)) {
      rotate(certificates);
    }
    return bundle;
  }

  private static void rotate(CertificateFolder certificates) {
    try {
      certificates.rotate(NODE, 30);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void filesThatAreReplacedWhileTheyAreReadAreReadAgainBeforeTheyAreUsed() throws Exception {
    CertificateFolder certificates = TlsService.certificates(folder);
    Path files = certificates.of(NODE);
    RevocationFile revocations =
        new RevocationFile(
            files.resolve(CertificateFolder.REVOCATIONS_FILE),
            files.resolve(CertificateFolder.TRUST_FILE),
            () -> 0);
    BigInteger first = serial(bundle(files));
    try (CertificateFiles watched =
        new CertificateFiles(
            files, revocations, () -> read(certificates), bundle -> used.add(serial(bundle)))) {
      rotate(certificates);
      isReplaced.set(true);

      watched.look();

      assertThat(used).containsExactly(first, serial(bundle(files)));
    }
  }
}
