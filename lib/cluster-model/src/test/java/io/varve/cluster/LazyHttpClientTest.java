package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LazyHttpClientTest {

  private final List<HttpClient> created = new ArrayList<>();
  private final HttpClient client =
      new LazyHttpClient(() -> {
        HttpClient made = HttpClient.newHttpClient();
        created.add(made);
        return made;
      });

  @Test
  void isCreatedOnceWhenItIsFirstUsed() {
    assertThat(created).isEmpty();
    assertThat(client.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(client.cookieHandler()).isEmpty();
    assertThat(created).hasSize(1);
    client.close();
    assertThat(created).hasSize(1);
  }

  @Test
  void sendsNothingOnceItIsShutDownWithoutHavingBeenUsed() {
    client.shutdownNow();

    assertThatThrownBy(() ->
            client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:1/")).build(),
                HttpResponse.BodyHandlers.discarding()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closed");
  }
}
