package io.varve.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.process.Pem;
import io.varve.process.RevocationFile;
import io.varve.process.Revocations;
import io.varve.process.SecretFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The decisions about a list of revoked certificates, and the file that has it. */
class RevocationsTest {

  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final CertificateAuthority.Validity YEAR =
      new CertificateAuthority.Validity(NOW, NOW.plus(Duration.ofDays(365)));
  private static final CertificateAuthority BOOKS = CertificateAuthority.create("books", YEAR);
  private static final CertificateAuthority NEXT = CertificateAuthority.create("books", YEAR);
  private static final CertificateAuthority FILMS = CertificateAuthority.create("films", YEAR);
  private static final List<X509Certificate> TRUSTED = List.of(BOOKS.certificate());
  private static final X509Certificate STOLEN = certificate(BOOKS);
  private static final X509Certificate OTHER = certificate(BOOKS);

  @TempDir Path folder;

  private static X509Certificate certificate(CertificateAuthority authority) {
    return authority
        .issue(new ProcessIdentity("books", ServiceKind.SHARD_SERVICE, "n1"), List.of("host"), YEAR)
        .certificate();
  }

  private static String list(CertificateAuthority authority, int number, X509Certificate... all) {
    Map<BigInteger, Instant> revoked = new TreeMap<>();
    for (X509Certificate one : all) {
      revoked.put(one.getSerialNumber(), NOW);
    }
    return Pem.of(authority.revoke(BigInteger.valueOf(number), revoked, NOW));
  }

  private static Revocations accepted(Revocations.Outcome outcome) {
    assertThat(outcome).isInstanceOf(Revocations.Outcome.Accepted.class);
    return ((Revocations.Outcome.Accepted) outcome).revocations();
  }

  private static String refused(Revocations.Outcome outcome) {
    assertThat(outcome).isInstanceOf(Revocations.Outcome.Refused.class);
    return ((Revocations.Outcome.Refused) outcome).reason();
  }

  private static Revocations having(int number, X509Certificate... all) {
    return accepted(Revocations.NONE.next(list(BOOKS, number, all), TRUSTED));
  }

  @Test
  void withoutAListNothingIsRevoked() {
    assertThat(accepted(Revocations.NONE.next(null, TRUSTED)).revokes(STOLEN)).isFalse();
  }

  @Test
  void aListRevokesWhatItNamesAndNothingElse() {
    Revocations revocations = having(7, STOLEN);
    assertThat(revocations.revokedAt(STOLEN)).contains(NOW);
    assertThat(revocations.revokes(OTHER)).isFalse();
    assertThat(revocations.revokes(BOOKS.certificate())).isFalse();
    assertThat(revocations.count()).isEqualTo(1);
  }

  @Test
  void aSerialNumberOfAnAuthorityWithAnotherNameIsAnotherCertificate() {
    X509Certificate film = certificate(FILMS);
    Revocations revocations =
        accepted(Revocations.NONE.next(list(BOOKS, 1, STOLEN, film), TRUSTED));
    assertThat(revocations.revokes(film)).isFalse();
  }

  @Test
  void aListThatDisappearsIsRefused() {
    assertThat(refused(having(1).next(null, TRUSTED))).contains("missing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nothing",
        "-----BEGIN X509 CRL-----\nnothing\n-----END X509 CRL-----\n",
        "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n",
      })
  void whatIsNoListIsRefused(String text) {
    assertThat(refused(Revocations.NONE.next(text, TRUSTED))).isNotEmpty();
    assertThat(refused(having(1, STOLEN).next(text, TRUSTED))).isNotEmpty();
  }

  @Test
  void aListThatATrustedAuthorityHasNotSignedIsRefused() {
    for (CertificateAuthority stranger : List.of(NEXT, FILMS)) {
      assertThat(refused(having(1, STOLEN).next(list(stranger, 2), TRUSTED)))
          .contains("trusted authority");
    }
  }

  @Test
  void aListWithoutANumberIsRefused() throws Exception {
    JcaX509v2CRLBuilder builder =
        new JcaX509v2CRLBuilder(BOOKS.certificate().getSubjectX500Principal(), Date.from(NOW));
    String text =
        Pem.of(
            new JcaX509CRLConverter()
                .getCRL(
                    builder.build(
                        new JcaContentSignerBuilder("SHA256withECDSA").build(BOOKS.own().key()))));
    assertThat(refused(Revocations.NONE.next(text, TRUSTED))).contains("no number");
  }

  @Test
  void anOlderListIsRefused() {
    assertThat(refused(having(7, STOLEN).next(list(BOOKS, 6), TRUSTED)))
        .isEqualTo("its number 6 must be greater than 7, which was in use");
  }

  @Test
  void aNumberIsOfOneListOnly() {
    assertThat(refused(having(7, STOLEN).next(list(BOOKS, 7), TRUSTED))).contains("number 7");
    assertThat(accepted(having(7, STOLEN).next(list(BOOKS, 7, STOLEN), TRUSTED)).revokes(STOLEN))
        .isTrue();
  }

  @Test
  void aNewerListReplacesTheOneBefore() {
    Revocations next = accepted(having(7, STOLEN).next(list(BOOKS, 300, STOLEN, OTHER), TRUSTED));
    assertThat(next.revokes(STOLEN)).isTrue();
    assertThat(next.revokes(OTHER)).isTrue();
  }

  @Test
  void twoListsOfOneAuthorityAreRefused() {
    assertThat(refused(Revocations.NONE.next(list(BOOKS, 1) + list(BOOKS, 2, STOLEN), TRUSTED)))
        .contains("two lists");
  }

  @Test
  void whileTheAuthorityIsReplacedEachHasItsList() {
    List<X509Certificate> both = List.of(BOOKS.certificate(), NEXT.certificate());
    X509Certificate next = certificate(NEXT);
    String lists = list(NEXT, 8, next) + list(BOOKS, 8, STOLEN);

    Revocations of = accepted(having(7, STOLEN).next(lists, both));
    assertThat(of.revokes(STOLEN)).isTrue();
    assertThat(of.revokes(next)).isTrue();

    assertThat(accepted(having(7, STOLEN).next(lists, TRUSTED)).lists()).hasSize(1);
    assertThat(accepted(of.next(list(NEXT, 9, next), both)).revokes(STOLEN)).isTrue();
    Revocations finished = accepted(of.next(list(NEXT, 9, next), List.of(NEXT.certificate())));
    assertThat(finished.lists()).hasSize(1);
    assertThat(finished.revokes(next)).isTrue();
  }

  @Test
  void afterTheTimeOfItsNextUpdateAListIsInUseAndOutdated() {
    Revocations revocations = having(1, STOLEN);
    Instant later = YEAR.until().plusSeconds(1);
    assertThat(revocations.isOutdated(NOW)).isFalse();
    assertThat(revocations.isOutdated(later)).isTrue();
    assertThat(revocations.revokes(STOLEN)).isTrue();
  }

  private final AtomicLong nanos = new AtomicLong();

  private RevocationFile file() throws IOException {
    SecretFile.write(folder.resolve("ca.pem"), Pem.of(BOOKS.certificate()));
    return new RevocationFile(folder.resolve("crl.pem"), folder.resolve("ca.pem"), nanos::get);
  }

  private void write(String text) throws IOException {
    SecretFile.write(folder.resolve("crl.pem"), text);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
  }

  @Test
  void aReplacedFileIsInUseASecondLater() throws Exception {
    RevocationFile file = file();
    assertThat(file.get().revokes(STOLEN)).isFalse();
    SecretFile.write(folder.resolve("crl.pem"), list(BOOKS, 1, STOLEN));
    assertThat(file.get().revokes(STOLEN)).isFalse();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(file.get().revokes(STOLEN)).isTrue();
  }

  /** Twice within the resolution of the times of a file system, and written in place. */
  @Test
  void aFileThatChangedTwiceAtOneTimeIsInUse() throws Exception {
    RevocationFile file = file();
    Path crl = folder.resolve("crl.pem");
    String first = list(BOOKS, 1, STOLEN);
    String second = list(BOOKS, 2, STOLEN, OTHER);
    write(first + "\n".repeat(second.length() - first.length()));
    FileTime time = Files.getLastModifiedTime(crl);
    assertThat(file.get().revokes(OTHER)).isFalse();

    Files.writeString(crl, second);
    Files.setLastModifiedTime(crl, time);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(file.get().revokes(OTHER)).isTrue();
  }

  @Test
  void revocationsThatHaveNotChangedStayTheSame() throws Exception {
    write(list(BOOKS, 1, STOLEN));
    RevocationFile file = file();
    Revocations before = file.get();
    SecretFile.write(
        folder.resolve("ca.pem"), Pem.of(BOOKS.certificate()) + Pem.of(NEXT.certificate()));
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(file.get()).isSameAs(before);
  }

  @Test
  void aFileThatIsRefusedChangesNothingUntilItIsReplaced() throws Exception {
    write(list(BOOKS, 5, STOLEN));
    RevocationFile file = file();
    for (String bad : List.of("nothing", list(BOOKS, 4), list(NEXT, 6))) {
      write(bad);
      assertThat(file.get().revokes(STOLEN)).isTrue();
      assertThat(file.refusal()).isNotEmpty();
    }
    Files.delete(folder.resolve("crl.pem"));
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(file.get().revokes(STOLEN)).isTrue();
    assertThat(file.refusal()).contains("missing");

    write(list(BOOKS, 6, OTHER));
    assertThat(file.get().revokes(OTHER)).isTrue();
    assertThat(file.refusal()).isEmpty();
  }

  @Test
  void aListThatArrivesBeforeItsAuthorityIsInUseAfterIt() throws Exception {
    RevocationFile file = file();
    X509Certificate next = certificate(NEXT);
    write(list(NEXT, 1, next));
    assertThat(file.get().revokes(next)).isFalse();
    SecretFile.write(
        folder.resolve("ca.pem"), Pem.of(BOOKS.certificate()) + Pem.of(NEXT.certificate()));
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(file.get().revokes(next)).isTrue();
    assertThat(file.refusal()).isEmpty();
  }

  @Test
  void aProcessDoesNotStartWithAFileThatIsRefused() throws Exception {
    write("nothing");
    assertThatThrownBy(this::file)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("crl.pem", "has no list");
  }
}
