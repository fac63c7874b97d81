package io.varve.http.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.RemoteAccess;
import io.varve.cluster.RemoteFiles;
import io.varve.cluster.RemoteSettings;
import io.varve.log.kafka.ReloadingSslEngines;
import io.varve.process.SecretFile;
import io.varve.tls.CertificateFolder;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process of another cluster, which has an authority and a list of its own. */
@Timeout(300)
class RevokedRemoteTest {

  @TempDir Path folder;

  private final HttpClient plain = HttpClient.newHttpClient();
  private TlsService service;
  private RemoteFiles files;
  private Path remote;

  @BeforeEach
  void start() throws Exception {
    service = TlsService.start(folder);
    remote = Files.createDirectories(folder.resolve("remote"));
    files = new RemoteFiles(remote, plain);
    copy(CertificateFolder.TRUST_FILE);
    copy(CertificateFolder.REVOCATIONS_FILE);
  }

  @AfterEach
  void stop() {
    files.close();
    plain.close();
    service.close();
  }

  private void copy(String file) throws IOException {
    SecretFile.write(
        remote.resolve(file),
        Files.readString(service.certificates.of(TlsService.NODE).resolve(file)));
  }

  private static RemoteSettings settings(String authorities, String revocations) {
    return new RemoteSettings(
        "east", List.of(), true, authorities, revocations, "", "", "kafka.properties");
  }

  private int call() throws Exception {
    RemoteAccess access =
        files.access(settings(CertificateFolder.TRUST_FILE, CertificateFolder.REVOCATIONS_FILE));
    return TlsService.get(access.http(), service.restPort(), "/_actuator/health").statusCode();
  }

  @Test
  void isNotCalledOnceItsCertificateIsRevokedAlsoOnAnOpenConnection() throws Exception {
    assertThat(call()).isEqualTo(200);
    service.certificates.revoke(TlsService.NODE, false);
    assertThat(call()).as("the list is copied by hand").isEqualTo(200);

    copy(CertificateFolder.REVOCATIONS_FILE);
    assertThatThrownBy(this::call)
        .isInstanceOf(IOException.class)
        .hasStackTraceContaining("was revoked");
    SecretFile.write(remote.resolve(CertificateFolder.REVOCATIONS_FILE), "nothing");
    assertThatThrownBy(this::call).as("the list before it stays").isInstanceOf(IOException.class);
  }

  @Test
  void isNotCalledWithAListThatCantBeUsed() throws Exception {
    SecretFile.write(remote.resolve(CertificateFolder.REVOCATIONS_FILE), "nothing");
    assertThatThrownBy(this::call)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("revoked certificates of the cluster [east]");
    Files.delete(remote.resolve(CertificateFolder.REVOCATIONS_FILE));
    assertThatThrownBy(this::call)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(CertificateFolder.REVOCATIONS_FILE);
  }

  @Test
  void theListOfItsBrokersIsReadByTheEnginesThatKnowLists() throws Exception {
    Files.writeString(
        remote.resolve("kafka.properties"),
        """
        security.protocol=SSL
        ssl.truststore.type=PEM
        ssl.truststore.location=ca.pem
        ssl.revocations.location=crl.pem
        """);
    RemoteFiles.Kafka before = files.kafka(settings("", ""));
    assertThat(before.properties())
        .containsEntry("ssl.engine.factory.class", ReloadingSslEngines.class.getName())
        .containsEntry("ssl.revocations.location", remote.resolve("crl.pem").toString());
    service.certificates.revoke(TlsService.NODE, false);
    copy(CertificateFolder.REVOCATIONS_FILE);
    assertThat(files.kafka(settings("", "")).stores()).isNotEqualTo(before.stores());
  }
}
