package io.varve.clients.java;

import io.varve.clients.RunningVarve;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.CredentialsProvider;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.nio.AsyncClientConnectionManager;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.http.HttpHost;
import org.opensearch.client.json.jackson.JacksonJsonpMapper;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.opensearch._types.Refresh;
import org.opensearch.client.opensearch.core.BulkRequest;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5TransportBuilder;

/** A client, and indices of books, each with a unique name. */
final class Library {

  /** One document. */
  record Book(String title, String genre, int pages, double price, String published) {}

  static final OpenSearchClient CLIENT = client();

  private static final String RUN = Long.toString(System.currentTimeMillis(), 36);
  private static final AtomicInteger COUNT = new AtomicInteger();

  private Library() {}

  private static OpenSearchClient client() {
    try {
      HttpHost host = HttpHost.create(RunningVarve.url());
      ApacheHttpClient5TransportBuilder transport =
          ApacheHttpClient5TransportBuilder.builder(host).setMapper(new JacksonJsonpMapper());
      RunningVarve.login()
          .ifPresent(login ->
              transport.setHttpClientConfigCallback(http ->
                  http.setDefaultCredentialsProvider(credentials(host, login))
                      .setConnectionManager(connections(login))));
      return new OpenSearchClient(transport.build());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CredentialsProvider credentials(HttpHost host, RunningVarve.Login login) {
    BasicCredentialsProvider credentials = new BasicCredentialsProvider();
    credentials.setCredentials(
        new AuthScope(host),
        new UsernamePasswordCredentials(login.user(), login.password().toCharArray()));
    return credentials;
  }

  private static AsyncClientConnectionManager connections(RunningVarve.Login login) {
    return PoolingAsyncClientConnectionManagerBuilder.create()
        .setTlsStrategy(ClientTlsStrategyBuilder.create().setSslContext(login.tls()).buildAsync())
        .build();
  }

  /** Returns a name that is unique, even across runs against the same server. */
  static String name(String word) {
    return "java-" + word + "-" + RUN + "-" + COUNT.incrementAndGet();
  }

  /** Creates a mapped index without documents. */
  static String empty(String word) throws IOException {
    String index = name(word);
    CLIENT
        .indices()
        .create(request ->
            request
                .index(index)
                .settings(settings -> settings.numberOfShards(2).numberOfReplicas(0))
                .mappings(mappings ->
                    mappings
                        .properties("title", p -> p.text(t -> t))
                        .properties("genre", p -> p.keyword(k -> k))
                        .properties("pages", p -> p.integer(i -> i))
                        .properties("price", p -> p.double_(n -> n))
                        .properties("published", p -> p.date(n -> n))));
    return index;
  }

  /** Creates an index with five visible books. */
  static String ofBooks(String word) throws IOException {
    String index = empty(word);
    BulkRequest.Builder bulk = new BulkRequest.Builder().index(index).refresh(Refresh.True);
    Book[] books = {
      new Book("Layers of sand", "geology", 120, 9.5, "2021-03-01"),
      new Book("Layers of ice", "geology", 240, 12, "2021-07-15"),
      new Book("A quiet harbour", "novel", 310, 8, "2022-01-10"),
      new Book("The harbour at night", "novel", 280, 7.25, "2022-05-30"),
      new Book("Bread", "cooking", 96, 20, "2023-11-02")
    };
    for (int i = 0; i < books.length; i++) {
      String id = Integer.toString(i + 1);
      Book book = books[i];
      bulk.operations(operation -> operation.index(one -> one.id(id).document(book)));
    }
    if (CLIENT.bulk(bulk.build()).errors()) {
      throw new IllegalStateException("the books were rejected");
    }
    return index;
  }
}
