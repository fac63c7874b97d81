package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RemoteFiles;
import io.varve.cluster.RemoteSettings;
import io.varve.events.Json;
import io.varve.log.TlsIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A coordinator of another cluster listens with TLS and requires a password. */
class RemoteOverTlsTest {

  private static final RemoteCluster.Description THERE =
      new RemoteCluster.Description("there", "uuid", "127.0.0.1:9092", Map.of("books", "b"));

  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private HttpsServer server;
  private TlsIdentity identity;
  private RemoteFiles files;

  @BeforeEach
  void listen() throws Exception {
    identity = TlsIdentity.named("there");
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(identity.context()));
    String expected =
        "Basic "
            + Base64.getEncoder().encodeToString("ada:secret".getBytes(StandardCharsets.UTF_8));
    server.createContext(
        "/",
        exchange -> {
          boolean known = expected.equals(exchange.getRequestHeaders().getFirst("Authorization"));
          byte[] answer = known ? Json.write(THERE) : new byte[0];
          exchange.sendResponseHeaders(known ? 200 : 401, known ? answer.length : -1);
          if (known) {
            exchange.getResponseBody().write(answer);
          }
          exchange.close();
        });
    server.start();
    files = new RemoteFiles(folder, http);
  }

  @AfterEach
  void close() {
    files.close();
    http.close();
    server.stop(0);
  }

  private RemoteSettings settings(boolean tls, String authorities, String credentials) {
    List<String> seeds = List.of("127.0.0.1:" + server.getAddress().getPort());
    return new RemoteSettings("east", seeds, tls, authorities, credentials, "");
  }

  private RemoteCluster.Description describe() throws Exception {
    return files.cluster(settings(true, "ca.pem", "password.properties")).describe();
  }

  private void write(String file, String content) throws IOException {
    Files.writeString(folder.resolve(file), content);
  }

  @Test
  void itIsCalledWithHttpsAndThePassword() throws Exception {
    write("ca.pem", identity.certificate());
    write("password.properties", "username=ada\npassword=secret\n");

    assertThat(describe()).isEqualTo(THERE);
  }

  @Test
  void aWrongPasswordIsAnErrorThatNamesTheFileUntilTheFileIsCorrected() throws Exception {
    write("ca.pem", identity.certificate());
    write("password.properties", "username=ada\npassword=wrong\n");
    assertThatThrownBy(this::describe)
        .isInstanceOf(RemoteCluster.UnauthorizedException.class)
        .hasMessageContaining("401")
        .hasMessageContaining("[password.properties]");

    write("password.properties", "username=ada\npassword=secret\n");

    assertThat(describe()).isEqualTo(THERE);
  }

  @Test
  void missingCredentialsAreAnErrorThatNamesTheSetting() throws Exception {
    write("ca.pem", identity.certificate());
    assertThatThrownBy(() -> files.cluster(settings(true, "ca.pem", "")).describe())
        .isInstanceOf(RemoteCluster.UnauthorizedException.class)
        .hasMessageContaining("cluster.remote.east.credentials_file");
  }

  @Test
  void anotherAuthorityIsRefusedUntilTheFileIsCorrected() throws Exception {
    write("ca.pem", TlsIdentity.named("other").certificate());
    write("password.properties", "username=ada\npassword=secret\n");
    assertThatThrownBy(this::describe)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("certification path");

    write("ca.pem", identity.certificate());

    assertThat(describe()).isEqualTo(THERE);
  }

  @Test
  void withoutAFileOnlyTheAuthoritiesOfTheJvmAreTrusted() {
    assertThatThrownBy(() -> files.cluster(settings(true, "", "")).describe())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("certification path");
  }

  @Test
  void withoutTlsItDoesNotAnswer() {
    assertThatThrownBy(() -> files.cluster(settings(false, "", "")).describe())
        .isInstanceOf(IOException.class);
  }

  @Test
  void aFileThatIsMissingOrIncompleteIsNamed() throws Exception {
    assertThatThrownBy(this::describe).hasMessageContaining("password.properties");

    write("ca.pem", "nothing");
    write("password.properties", "username=ada\n");
    assertThatThrownBy(this::describe)
        .hasMessageContaining("[password.properties] lacks [password]");

    write("password.properties", "username=ada\npassword=secret\n");
    assertThatThrownBy(this::describe).hasMessageContaining("[ca.pem] has no certificates");
  }

  @Test
  void aChangedFileIsNoticed() throws Exception {
    RemoteSettings settings = settings(true, "ca.pem", "");
    List<String> missing = files.contents(settings);
    write("ca.pem", "one");
    List<String> one = files.contents(settings);

    assertThat(one).isNotEqualTo(missing).isEqualTo(files.contents(settings));
    write("ca.pem", "two");
    assertThat(files.contents(settings)).isNotEqualTo(one);
  }

  @Test
  void onlyPropertiesForSecurityAreTakenForTheBrokers() throws Exception {
    RemoteSettings settings =
        new RemoteSettings("east", List.of(), false, "", "", "kafka.properties");
    write("kafka.properties", "security.protocol=SSL\nssl.truststore.location=ca.pem\n");
    assertThat(files.kafka(settings).properties())
        .containsEntry("security.protocol", "SSL")
        .containsEntry("ssl.truststore.location", folder.resolve("ca.pem").toString());

    write("kafka.properties", "bootstrap.servers=elsewhere:9092\n");
    assertThatThrownBy(() -> files.kafka(settings))
        .hasMessageContaining("[kafka.properties] has [bootstrap.servers]");
  }
}
