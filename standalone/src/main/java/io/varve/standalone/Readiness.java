package io.varve.standalone;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import tools.jackson.core.JacksonException;

/** Waits until a cluster answers and its health is green. */
public final class Readiness {

  private static final Duration BETWEEN_CONNECTS = Duration.ofMillis(100);

  private Readiness() {}

  /**
   * Blocks until the cluster at {@code url} has {@code nodes} nodes and is green.
   *
   * @param alive asked between tries; waiting ends when it says no
   * @return whether it became green within the time
   */
  public static boolean await(String url, int nodes, Duration within, BooleanSupplier alive)
      throws InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    try (RestCalls rest = new RestCalls(url)) {
      while (System.nanoTime() < deadline && alive.getAsBoolean()) {
        if (isGreen(rest, nodes)) {
          return true;
        }
        // Nothing tells when a port will be listened on: connecting again is the only way to learn
        // it.
        Thread.sleep(BETWEEN_CONNECTS);
      }
      return false;
    }
  }

  private static boolean isGreen(RestCalls rest, int nodes) {
    try {
      RestCalls.Answer answer =
          rest.get(
              "/_cluster/health?wait_for_status=green&timeout=1s&wait_for_nodes=%3E%3D" + nodes);
      return answer.status() == 200 && answer.json().path("status").asString("").equals("green");
    } catch (IOException | JacksonException e) {
      return false;
    }
  }
}
