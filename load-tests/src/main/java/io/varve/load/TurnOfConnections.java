package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The connections of one client to all coordinators of a server, which it uses in turn. Not
 * thread-safe.
 */
final class TurnOfConnections implements AutoCloseable {

  private final List<HttpConnection> all = new ArrayList<>();
  private int used;

  /**
   * @param first the position of the coordinator that gets the first request, so that clients do
   *     not all begin with the same one
   */
  TurnOfConnections(List<String> urls, int first) throws IOException {
    used = Math.floorMod(first, urls.size());
    try {
      for (String url : urls) {
        all.add(new HttpConnection(url));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  HttpConnection next() {
    return all.get(used++ % all.size());
  }

  @Override
  public void close() throws IOException {
    for (HttpConnection connection : all) {
      connection.close();
    }
  }
}
