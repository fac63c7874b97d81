package io.varve.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.process.Pem;
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
