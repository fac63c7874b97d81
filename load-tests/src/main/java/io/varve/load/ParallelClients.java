package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Clients of a load that run concurrently, each on its own thread. */
final class ParallelClients {

  private ParallelClients() {}

  /**
   * Returns when all clients have ended.
   *
   * @throws IOException a client failed, or this thread was interrupted
   */
  static void run(int clients, Callable<?> client) throws IOException {
    try (ExecutorService pool = Executors.newFixedThreadPool(clients)) {
      List<Future<?>> running = new ArrayList<>();
      for (int c = 0; c < clients; c++) {
        running.add(pool.submit(client));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a client failed: " + e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
