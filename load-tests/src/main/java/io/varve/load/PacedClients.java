package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends bulks at a fixed rate from several clients, which take turns: at the rate of {@code r}
 * bulks per second, client {@code c} of {@code n} sends its first bulk after {@code c / r} seconds
 * and the others every {@code n / r} seconds.
 */
final class PacedClients implements AutoCloseable {

  private final List<PacedLoad> clients = new ArrayList<>();

  /**
   * @param bodies the bulks; each client sends its share of them repeatedly
   */
  PacedClients(
      MeasuredServer server, String index, List<byte[]> bodies, double bulksPerSecond, int number) {
    List<List<byte[]>> parts = parts(bodies, number);
    for (int c = 0; c < parts.size(); c++) {
      clients.add(
          new PacedLoad(
              server,
              index,
              parts.get(c),
              bulksPerSecond / parts.size(),
              Math.round(c * 1e9 / bulksPerSecond)));
    }
  }

  /** Distributes the bulks among the clients; there are no more clients than bulks. */
  static List<List<byte[]>> parts(List<byte[]> bodies, int clients) {
    List<List<byte[]>> parts = new ArrayList<>();
    for (int c = 0; c < Math.min(clients, bodies.size()); c++) {
      parts.add(new ArrayList<>());
    }
    for (int i = 0; i < bodies.size(); i++) {
      parts.get(i % parts.size()).add(bodies.get(i));
    }
    return parts;
  }

  int sent() {
    return clients.stream().mapToInt(PacedLoad::sent).sum();
  }

  /** Stops all clients, and fails if a bulk was rejected. */
  @Override
  public void close() throws IOException, InterruptedException {
    IOException failure = null;
    for (PacedLoad client : clients) {
      try {
        client.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
