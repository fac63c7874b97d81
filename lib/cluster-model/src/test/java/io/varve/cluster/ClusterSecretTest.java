package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSecretTest {

  private static final String TEXT = "0123456789abcdef0123456789abcdef";

  @TempDir Path folder;

  private Path file(String text, String permissions) throws IOException {
    Path file = Files.writeString(folder.resolve("secret"), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    return file;
  }

  @Test
  void isReadFromAFileOfItsOwner() throws IOException {
    ClusterSecret secret = ClusterSecret.read(file(TEXT + "\n", "rw-------"));

    assertThat(secret.matches(TEXT)).isTrue();
    assertThat(secret.matches(TEXT + "x")).isFalse();
    assertThat(secret.matches("")).isFalse();
    assertThat(secret.matches(null)).isFalse();
    assertThat(secret.toString()).doesNotContain(TEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----"})
  void aFileOfOthersIsRefused(String permissions) throws IOException {
    Path file = file(TEXT, permissions);

    assertThatThrownBy(() -> ClusterSecret.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod 600");
    assertThat(ClusterSecret.readShared(file).matches(TEXT)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "short", "0123456789abcdef 0123456789abcdef"})
  void aShortSecretOrOneWithBlanksIsRefused(String text) throws IOException {
    Path file = file(text, "rw-------");

    assertThatThrownBy(() -> ClusterSecret.read(file)).isInstanceOf(IOException.class);
  }

  @Test
  void isSentForInternalPathsOfTheOwnClusterOnly() throws Exception {
    List<String> received = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          received.add(
              exchange.getRequestURI().getPath()
                  + " "
                  + exchange.getRequestHeaders().getFirst(ClusterSecret.HEADER));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    try (HttpClient plain = HttpClient.newHttpClient()) {
      HttpClient own = SecretHttpClient.of(plain, new ClusterSecret(TEXT));
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      for (String path : List.of("/_internal/node", "/_cluster/health")) {
        send(own, url + path);
      }
      send(SecretHttpClient.withoutSecret(own), url + "/_internal/cluster/export");
    } finally {
      server.stop(0);
    }

    assertThat(received)
        .containsExactly(
            "/_internal/node " + TEXT, "/_cluster/health null", "/_internal/cluster/export null");
  }

  private static void send(HttpClient client, String url) throws Exception {
    assertThat(
            client
                .send(
                    HttpRequest.newBuilder(URI.create(url)).build(),
                    HttpResponse.BodyHandlers.discarding())
                .statusCode())
        .isEqualTo(204);
  }
}
