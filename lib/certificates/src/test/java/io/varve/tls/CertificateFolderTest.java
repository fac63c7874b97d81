package io.varve.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.process.Pem;
import io.varve.process.Revocations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateFolderTest {

  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final List<String> HOSTS = List.of("127.0.0.1", "::1", "node-1.example");

  @TempDir Path temporary;
  private CertificateFolder folder;

  @BeforeEach
  void init() throws IOException {
    folder = new CertificateFolder(temporary.resolve("security"), InstantSource.fixed(NOW));
    folder.init("books");
  }

  private void add(String name) throws IOException {
    folder.add(new CertificateFolder.Node(name, ServiceKind.SHARD_SERVICE, "n1", HOSTS, 30));
  }

  private X509Certificate certificate(String name) throws IOException {
    return Pem.certificates(pem(name)).getFirst();
  }

  private String pem(String name) throws IOException {
    return Files.readString(folder.of(name).resolve(CertificateFolder.NODE_FILE));
  }

  private boolean isTrusted(String name) throws IOException {
    for (X509Certificate authority :
        Pem.certificates(Files.readString(folder.of(name).resolve(CertificateFolder.TRUST_FILE)))) {
      if (isSignedBy(certificate(name), authority.getPublicKey())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSignedBy(X509Certificate certificate, PublicKey key) {
    try {
      certificate.verify(key);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  @Test
  void aCertificateNamesItsClusterServiceNodeAndHosts() throws Exception {
    add("shard-1");

    CertificateFolder.Certified made = folder.certified("shard-1");
    assertThat(made.identity())
        .isEqualTo(new ProcessIdentity("books", ServiceKind.SHARD_SERVICE, "n1"));
    assertThat(made.hosts())
        .containsExactlyInAnyOrder("127.0.0.1", "0:0:0:0:0:0:0:1", "node-1.example");
    assertThat(made.until()).isEqualTo(NOW.plus(Duration.ofDays(30)));
    assertThat(made.from()).isBefore(NOW);
    assertThat(isTrusted("shard-1")).isTrue();
    assertThat(certificate("shard-1").getBasicConstraints()).isEqualTo(-1);
    assertThat(folder.nodes()).containsExactly("shard-1");
  }

  @Test
  void theKeyOfAFileIsThatOfItsCertificate() throws Exception {
    add("shard-1");

    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(Pem.key(pem("shard-1")));
    signature.update((byte) 7);
    byte[] signed = signature.sign();
    signature.initVerify(certificate("shard-1").getPublicKey());
    signature.update((byte) 7);
    assertThat(signature.verify(signed)).isTrue();
  }

  @Test
  void onlyTheirOwnerCanReadTheFiles() throws Exception {
    add("shard-1");

    try (Stream<Path> files = Files.walk(temporary.resolve("security"))) {
      for (Path file : files.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as("%s", file)
            .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
      }
    }
    assertThat(folder.of("shard-1").resolve("authority.pem")).doesNotExist();
  }

  @Test
  void aRotatedCertificateHasAnotherKeyAndTheSameIdentity() throws Exception {
    add("shard-1");
    CertificateFolder.Certified before = folder.certified("shard-1");
    X509Certificate first = certificate("shard-1");

    folder.rotate("shard-1", 60);

    CertificateFolder.Certified after = folder.certified("shard-1");
    assertThat(after.identity()).isEqualTo(before.identity());
    assertThat(after.hosts()).isEqualTo(before.hosts());
    assertThat(after.until()).isEqualTo(NOW.plus(Duration.ofDays(60)));
    assertThat(certificate("shard-1").getPublicKey()).isNotEqualTo(first.getPublicKey());
    assertThat(certificate("shard-1").getSerialNumber()).isNotEqualTo(first.getSerialNumber());
  }

  @Test
  void theAuthorityIsReplacedInThreeStepsInEachOfWhichAllCertificatesAreTrusted() throws Exception {
    add("shard-1");
    X509Certificate old = certificate("shard-1");
    PublicKey oldAuthority = folder.authority().certificate().getPublicKey();

    folder.rotateAuthority(CertificateFolder.Step.PREPARE, 30);
    assertThat(isTrusted("shard-1")).isTrue();
    assertThat(certificate("shard-1")).isEqualTo(old);

    folder.rotateAuthority(CertificateFolder.Step.SWITCH, 30);
    assertThat(isTrusted("shard-1")).isTrue();
    assertThat(isSignedBy(certificate("shard-1"), oldAuthority)).isFalse();
    assertThat(Pem.certificates(Files.readString(folder.trustFile()))).hasSize(2);

    folder.rotateAuthority(CertificateFolder.Step.FINISH, 30);
    assertThat(isTrusted("shard-1")).isTrue();
    assertThat(Pem.certificates(Files.readString(folder.trustFile())))
        .hasSize(1)
        .noneMatch(authority -> authority.getPublicKey().equals(oldAuthority));
    folder.rotateAuthority(CertificateFolder.Step.PREPARE, 30);
  }

  /** What a process with the files of this node knows. */
  private Revocations known(String name, Revocations before) throws IOException {
    Path files = folder.of(name);
    Revocations.Outcome outcome =
        before.next(
            Files.readString(files.resolve(CertificateFolder.REVOCATIONS_FILE)),
            Pem.certificates(Files.readString(files.resolve(CertificateFolder.TRUST_FILE))));
    assertThat(outcome).isInstanceOf(Revocations.Outcome.Accepted.class);
    return ((Revocations.Outcome.Accepted) outcome).revocations();
  }

  private Revocations known(String name) throws IOException {
    return known(name, Revocations.NONE);
  }

  @Test
  void aProcessIsRevokedWithAllItsCertificatesSoFarAndNoneThatFollows() throws Exception {
    add("shard-1");
    add("shard-2");
    X509Certificate first = certificate("shard-1");
    folder.rotate("shard-1", 30);
    X509Certificate second = certificate("shard-1");

    assertThat(folder.revoke("shard-1", false))
        .extracting(CertificateFolder.Revoked::serial)
        .containsExactlyInAnyOrder(first.getSerialNumber(), second.getSerialNumber());
    folder.rotate("shard-1", 30);

    for (String reader : List.of("shard-1", "shard-2")) {
      Revocations revocations = known(reader);
      assertThat(revocations.revokedAt(first)).contains(NOW);
      assertThat(revocations.revokes(second)).isTrue();
      assertThat(revocations.revokes(certificate("shard-1"))).isFalse();
      assertThat(revocations.revokes(certificate("shard-2"))).isFalse();
    }
    assertThat(folder.revoked())
        .allSatisfy(one -> {
          assertThat(one.name()).isEqualTo("shard-1");
          assertThat(one.at()).isEqualTo(NOW);
        });
  }

  private void isRevokedAndItsSuccessorIsNot(X509Certificate first) throws Exception {
    assertThat(known("shard-1").revokes(first)).isTrue();
    assertThat(known("shard-1").revokes(certificate("shard-1"))).isFalse();
  }

  @Test
  void aSingleCertificateIsRevokedByItsSerialNumber() throws Exception {
    add("shard-1");
    X509Certificate first = certificate("shard-1");
    folder.rotate("shard-1", 30);

    folder.revoke(first.getSerialNumber().toString(16), false);

    isRevokedAndItsSuccessorIsNot(first);
  }

  @Test
  void theNewestCertificateOfAProcessCanBeKept() throws Exception {
    add("shard-1");
    X509Certificate first = certificate("shard-1");
    assertThat(folder.revoke("shard-1", true)).isEmpty();
    folder.rotate("shard-1", 30);

    folder.revoke("shard-1", true);

    isRevokedAndItsSuccessorIsNot(first);
  }

  @Test
  void aRevocationKeepsItsTimeAndEachListHasAGreaterNumberThoughItsFileWasLost() throws Exception {
    add("shard-1");
    Revocations none = known("shard-1");
    folder.revoke("shard-1", false);
    Revocations one = known("shard-1", none);
    CertificateFolder later =
        new CertificateFolder(
            temporary.resolve("security"), InstantSource.fixed(NOW.plusSeconds(9)));
    later.revoke("shard-1", false);
    Revocations two = known("shard-1", one);
    assertThat(two.revokedAt(certificate("shard-1"))).contains(NOW);
    assertThat(two.lists().getFirst().number()).isGreaterThan(one.lists().getFirst().number());

    Files.delete(folder.revocationsFile());
    CertificateFolder muchLater =
        new CertificateFolder(
            temporary.resolve("security"), InstantSource.fixed(NOW.plusSeconds(99)));
    muchLater.revoke("shard-1", false);
    assertThat(known("shard-1", two).revokes(certificate("shard-1"))).isTrue();
  }

  @Test
  void whatWasRevokedStaysSoWhileTheAuthorityIsReplaced() throws Exception {
    add("shard-1");
    add("shard-2");
    X509Certificate old = certificate("shard-1");
    X509Certificate oldOfOther = certificate("shard-2");
    folder.revoke("shard-1", false);
    Revocations seen = known("shard-1");

    folder.rotateAuthority(CertificateFolder.Step.PREPARE, 30);
    seen = known("shard-1", seen);
    folder.rotateAuthority(CertificateFolder.Step.SWITCH, 30);
    seen = known("shard-1", seen);
    assertThat(seen.lists()).hasSize(2);
    assertThat(seen.revokes(old)).isTrue();
    assertThat(seen.revokes(certificate("shard-1"))).isFalse();

    // Certificates of both authorities are in use now.
    folder.revoke("shard-2", false);
    seen = known("shard-1", seen);
    assertThat(seen.revokes(oldOfOther)).isTrue();
    assertThat(seen.revokes(certificate("shard-2"))).isTrue();

    folder.rotateAuthority(CertificateFolder.Step.FINISH, 30);
    seen = known("shard-1", seen);
    assertThat(seen.lists()).hasSize(1);
    assertThat(seen.revokes(certificate("shard-2"))).isTrue();
    assertThat(folder.revoked()).hasSize(3);
  }

  @Test
  void aFolderOfAnEarlierVersionGetsAListAndRevokesItsCertificates() throws Exception {
    add("shard-1");
    for (String file : List.of("crl.pem", "issued", "nodes/shard-1/crl.pem")) {
      Files.delete(temporary.resolve("security").resolve(file));
    }
    assertThat(folder.revoked()).isEmpty();
    folder.addRevocations();
    assertThat(known("shard-1").count()).isZero();
    folder.revoke("shard-1", false);
    assertThat(known("shard-1").revokes(certificate("shard-1"))).isTrue();
  }

  @Test
  void theAuthorityIsNotRevoked() {
    assertThatThrownBy(() ->
            folder.revoke(folder.authority().certificate().getSerialNumber().toString(16), false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rotate --authority");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "absent", "abc", "../shard-1"})
  void whatIsNeitherAProcessNorASerialNumberIsNotRevoked(String name) {
    assertThatThrownBy(() -> folder.revoke(name, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("[" + name + "] is neither");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SWITCH", "FINISH"})
  void aStepTooEarlyIsRefused(String step) {
    assertThatThrownBy(() -> folder.rotateAuthority(CertificateFolder.Step.valueOf(step), 30))
        .isInstanceOf(IOException.class)
        .hasMessage("the next step is PREPARE, not " + step);
  }

  @Test
  void aClusterWhoseNameIsNoneGetsNoAuthority() {
    CertificateFolder other =
        new CertificateFolder(temporary.resolve("other"), InstantSource.fixed(NOW));
    assertThatThrownBy(() -> other.init("a:b")).isInstanceOf(IllegalArgumentException.class);
    assertThat(other.exists()).isFalse();
  }

  @Test
  void anAuthorityIsNotOverwritten() {
    assertThatThrownBy(() -> folder.init("books"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has an authority already");
  }

  @Test
  void withoutAnAuthorityNothingIsMade() {
    CertificateFolder empty =
        new CertificateFolder(temporary.resolve("empty"), InstantSource.fixed(NOW));
    assertThatThrownBy(() ->
            empty.add(new CertificateFolder.Node("a", ServiceKind.MONITOR, "n", List.of(), 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has no authority");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a/b", "..", "a:b", "ü"})
  void aNameThatIsNoFolderIsRefused(String name) {
    assertThatThrownBy(() -> add(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[" + name + "]");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 3651})
  void daysOutOfRangeAreRefused(int days) {
    assertThatThrownBy(
            () -> new CertificateFolder.Node("a", ServiceKind.MONITOR, "n", List.of(), days))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 3650");
  }
}
