package io.varve.standalone;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Waits until a cluster is up. */
public final class Readiness {

  private static final Duration BETWEEN_CONNECTS = Duration.ofMillis(100);

  /** The port may be that of another program, which never answers. */
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

  /** An index may ask for more copies than there are nodes: then nobody waits for green. */
  private static final Duration SETTLED_AFTER = Duration.ofSeconds(5);

  private Readiness() {}

  /**
   * Blocks until the cluster at {@code url} has {@code nodes} nodes and is green.
   *
   * @param alive asked between tries; waiting ends when it says no
   * @return whether it became green within the time
   */
  public static boolean awaitGreen(String url, int nodes, Duration within, BooleanSupplier alive)
      throws InterruptedException {
    Waiting waiting = new Waiting(url, nodes, within, alive);
    return waiting.until(false).filter("green"::equals).isPresent();
  }

  /**
   * Blocks until the cluster at {@code url} has {@code nodes} nodes and is green, or yellow with no
   * copy on its way for a while.
   *
   * @return the status, which may be another one when the time is over; empty when the cluster does
   *     not answer by then
   */
  public static Optional<String> awaitUp(
      String url, int nodes, Duration within, BooleanSupplier alive) throws InterruptedException {
    return new Waiting(url, nodes, within, alive).until(true);
  }

  /** Tells whoever starts a cluster why it may not be what they expect. */
  public static void sayUnlessGreen(String status) {
    if (!status.equals("green")) {
      System.err.println(
          "varve: health is " + status + "; GET /_cluster/allocation/explain tells why");
    }
  }

  private record Waiting(String url, int nodes, Duration within, BooleanSupplier alive) {

    Optional<String> until(boolean settled) throws InterruptedException {
      long deadline = System.nanoTime() + within.toNanos();
      long restingSince = System.nanoTime();
      Optional<JsonNode> last = Optional.empty();
      try (RestCalls rest = new RestCalls(url, CALL_TIMEOUT)) {
        while (System.nanoTime() < deadline && alive.getAsBoolean()) {
          last = health(rest);
          if (status(last).equals("green")) {
            break;
          }
          if (!isResting(last)) {
            restingSince = System.nanoTime();
          } else if (settled && System.nanoTime() - restingSince >= SETTLED_AFTER.toNanos()) {
            break;
          }
          // Nothing tells when a port will be listened on: connecting again is the only way to
          // learn it.
          Thread.sleep(BETWEEN_CONNECTS);
        }
      }
      return last.map(health -> status(Optional.of(health)));
    }

    /** Empty unless it answers and all nodes are there. */
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

    private static boolean isResting(Optional<JsonNode> health) {
      return status(health).equals("yellow")
          && health.orElseThrow().path("initializing_shards").asInt(-1) == 0;
    }
  }
}
