package io.varve.host.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.varve.cluster.stats.Pool;
import io.varve.cluster.stats.Pools;
import io.varve.engine.SuspectFolder;
import io.varve.events.MalformedRecordException;
import io.varve.events.ShardId;
import io.varve.host.HostedCopies;
import io.varve.host.ShardCopy;
import io.varve.http.SlowClientException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /_internal/shards/{index uuid}/{number}/{endpoint}[/rest]}: finds the copy and the
 * endpoint, and is the one place where a failure becomes an answer.
 */
public final class ShardServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ShardServlet.class);
  private static final long MAX_WAIT_MILLIS = 10_000;

  private final transient HostedCopies copies;
  private final transient Map<String, ShardEndpoint> endpoints;
  private final transient MeterRegistry meters;
  private final transient Pools pools;
  private final transient BiFunction<ShardId, String, Optional<Object>> resting;
  private final transient BiConsumer<ShardCopy, String> damaged;

  /** Where no index is ever closed. */
  public ShardServlet(
      HostedCopies copies,
      Map<String, ShardEndpoint> endpoints,
      MeterRegistry meters,
      Pools pools) {
    this(
        copies,
        endpoints,
        meters,
        pools,
        (shard, endpoint) -> Optional.empty(),
        (copy, reason) -> {});
  }

  /**
   * Endpoints by method and name: {@code POST bulk}; {@code resting} says what can be said of a
   * copy that is closed; {@code damaged} is told of a copy that has read a damaged file.
   */
  public ShardServlet(
      HostedCopies copies,
      Map<String, ShardEndpoint> endpoints,
      MeterRegistry meters,
      Pools pools,
      BiFunction<ShardId, String, Optional<Object>> resting,
      BiConsumer<ShardCopy, String> damaged) {
    this.copies = copies;
    this.endpoints = Map.copyOf(endpoints);
    this.meters = meters;
    this.pools = pools;
    this.resting = resting;
    this.damaged = damaged;
  }

  private record Target(ShardId shard, String endpoint, String rest) {

    static Target parse(String path) {
      String[] parts = path.split("/", 5);
      if (parts.length < 4 || parts[1].isEmpty() || !parts[2].matches("\\d{1,9}")) {
        throw new ApiException(
            404, "resource_not_found_exception", "no endpoint at [" + path + "]");
      }
      return new Target(
          new ShardId(parts[1], Integer.parseInt(parts[2])),
          parts[3],
          parts.length == 5 ? parts[4] : "");
    }
  }

  /** The kind of work that an endpoint does. */
  private static String kind(String endpoint) {
    return switch (endpoint) {
      case "docs" -> "get";
      case "search", "scroll", "scroll-next", "scroll-take", "open-reader" -> "search";
      case "refresh", "visible" -> "refresh";
      case "flush" -> "flush";
      case "forcemerge", "merge", "reencode" -> "force_merge";
      case "snapshots", "files" -> "fetch_shard_store";
      case "stats", "segments", "recovery" -> "management";
      default -> "generic";
    };
  }

  private void handle(
      ShardEndpoint endpoint,
      ShardCopy copy,
      Target target,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException, InterruptedException {
    Pool pool = pools.of(kind(target.endpoint()));
    pool.begin();
    try {
      endpoint.handle(copy, target.rest(), request, response);
    } catch (IOException | RuntimeException e) {
      Optional<String> damage = SuspectFolder.damage(e);
      if (damage.isEmpty()) {
        throw e;
      }
      LOG.error("{} has read a damaged file", copy.shard(), e);
      damaged.accept(copy, damage.get());
      throw new ApiException(
          503,
          "no_shard_available_action_exception",
          "this copy of " + copy.shard() + " is damaged: " + damage.get());
    } finally {
      pool.end();
    }
  }

  /** Who says how long an answer may take waits for a copy that is not open yet, too. */
  private static long patience(HttpServletRequest request) {
    return request.getMethod().equals("GET")
        ? Math.clamp(Bodies.longOr(request, "wait_millis", 0), 0, MAX_WAIT_MILLIS)
        : 0;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long began = System.nanoTime();
    String name = "unknown";
    try {
      String path = request.getPathInfo();
      Target target = Target.parse(path == null ? "" : path);
      ShardEndpoint endpoint = endpoints.get(request.getMethod() + " " + target.endpoint());
      if (endpoint == null) {
        throw new ApiException(
            404,
            "resource_not_found_exception",
            "no endpoint [" + request.getMethod() + " " + target.endpoint() + "]");
      }
      name = target.endpoint();
      Optional<Object> rested =
          request.getMethod().equals("GET") && copies.copy(target.shard()).isEmpty()
              ? resting.apply(target.shard(), target.endpoint())
              : Optional.empty();
      if (rested.isPresent()) {
        Bodies.sendJson(response, rested.get());
        return;
      }
      ShardCopy copy =
          copies
              .await(target.shard(), patience(request))
              .orElseThrow(() ->
                  new ApiException(
                      404,
                      "shard_not_found_exception",
                      "no copy of " + target.shard() + " on this node"));
      handle(endpoint, copy, target, request, response);
    } catch (ApiException e) {
      Bodies.sendError(response, e.error());
    } catch (MalformedRecordException | IllegalArgumentException e) {
      Bodies.sendError(response, ErrorBody.illegalArgument(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      String slow = SlowClientException.reason(e).orElseThrow(() -> e);
      Bodies.sendError(response, ErrorBody.of(408, "timeout_exception", slow));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Bodies.sendError(response, ErrorBody.of(503, "node_closed_exception", "the node is closing"));
    } catch (StackOverflowError e) {
      LOG.warn("{} {} is nested too deeply", request.getMethod(), request.getPathInfo());
      Bodies.sendError(response, ErrorBody.illegalArgument("The request is nested too deeply"));
    } catch (RuntimeException e) {
      LOG.error("{} {} failed", request.getMethod(), request.getPathInfo(), e);
      Bodies.sendError(response, ErrorBody.of(500, "internal_server_error", e.toString()));
    } finally {
      Timer.builder("varve.http")
          .tag("endpoint", name)
          .tag("status", Integer.toString(response.getStatus()))
          .register(meters)
          .record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    }
  }
}
