package io.varve.standalone;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Waits until a cluster is up. */
public final class Readiness {

  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  /** Another program may listen on the port and never answer. */
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

  /**
   * A yellow status counts as final after this time without a recovering copy, because an index may
   * have more replicas than there are nodes.
   */
  private static final Duration SETTLED_AFTER = Duration.ofSeconds(5);

  private Readiness() {}

  /**
   * Blocks until the cluster at {@code url} has {@code nodes} nodes and is green.
   *
   * @param alive checked between attempts; waiting ends when it returns false
   * @return whether the cluster became green in time
   */
  public static boolean awaitGreen(String url, int nodes, Duration within, BooleanSupplier alive)
      throws InterruptedException {
    return awaitGreen(url, nodes, within, alive, RestAccess.PLAIN);
  }

  /** The same, with these credentials and this TLS context. */
  public static boolean awaitGreen(
      String url, int nodes, Duration within, BooleanSupplier alive, RestAccess access)
      throws InterruptedException {
    Waiting waiting = new Waiting(url, nodes, within, alive, access);
    return waiting.until(false).filter("green"::equals).isPresent();
  }

  /**
   * Blocks until the cluster at {@code url} has {@code nodes} nodes and is green, or is yellow and
   * no copy has been recovering for a while.
   *
   * @return the last status, which may be any after a timeout; empty if the last check got no
   *     answer from a cluster with that many nodes
   */
  public static Optional<String> awaitUp(
      String url, int nodes, Duration within, BooleanSupplier alive) throws InterruptedException {
    return awaitUp(url, nodes, within, alive, RestAccess.PLAIN);
  }

  /** The same, with these credentials and this TLS context. */
  public static Optional<String> awaitUp(
      String url, int nodes, Duration within, BooleanSupplier alive, RestAccess access)
      throws InterruptedException {
    return new Waiting(url, nodes, within, alive, access).until(true);
  }

  /** Prints a warning on standard error unless the status is green. */
  public static void warnUnlessGreen(String status) {
    if (!status.equals("green")) {
      System.err.println(
          "varve: health is " + status + "; GET /_cluster/allocation/explain explains it");
    }
  }

  private record Waiting(
      String url, int nodes, Duration within, BooleanSupplier alive, RestAccess access) {

    Optional<String> until(boolean settled) throws InterruptedException {
      long deadline = System.nanoTime() + within.toNanos();
      long yellowSince = System.nanoTime();
      Optional<JsonNode> last = Optional.empty();
      try (RestCalls rest = new RestCalls(url, CALL_TIMEOUT, access)) {
        while (System.nanoTime() < deadline && alive.getAsBoolean()) {
          last = health(rest);
          if (status(last).equals("green")) {
            break;
          }
          if (!isSettledYellow(last)) {
            yellowSince = System.nanoTime();
          } else if (settled && System.nanoTime() - yellowSince >= SETTLED_AFTER.toNanos()) {
            break;
          }
          // There is no event for a port that starts to listen, so poll.
          Thread.sleep(POLL_INTERVAL);
        }
      }
      return last.map(health -> status(Optional.of(health)));
    }

    /** Returns the health; empty unless the cluster answers and has all nodes. */
    private Optional<JsonNode> health(RestCalls rest) {
      try {
        JsonNode health =
            rest.get(
                    "/_cluster/health?wait_for_status=green&timeout=1s&wait_for_nodes=%3E%3D"
                        + nodes)
                .json();
        return health.path("number_of_nodes").asInt(0) >= nodes
            ? Optional.of(health)
            : Optional.empty();
      } catch (IOException | JacksonException e) {
        return Optional.empty();
      }
    }

    private static String status(Optional<JsonNode> health) {
      return health.map(h -> h.path("status").asString("")).orElse("");
    }

    private static boolean isSettledYellow(Optional<JsonNode> health) {
      return status(health).equals("yellow")
          && health.orElseThrow().path("initializing_shards").asInt(-1) == 0;
    }
  }
}
