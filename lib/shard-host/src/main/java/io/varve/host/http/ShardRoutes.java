package io.varve.host.http;

import io.varve.cluster.stats.Pools;
import io.varve.events.ShardId;
import io.varve.host.HostedCopies;
import io.varve.host.ShardCopy;
import io.varve.http.internal.InternalCall;
import io.varve.http.internal.InternalEndpoint;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalResponse;
import io.varve.http.internal.InternalRoute;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.springframework.web.servlet.function.HandlerFilterFunction;

/**
 * The routes of the endpoints of copies: {@code /_internal/shards/{index uuid}/{number}/{endpoint}}
 * and the same with one more segment, the endpoint's {@code rest}.
 *
 * <p>After the filters of all internal endpoints a request passes these, in order:
 *
 * <ol>
 *   <li>{@link CopyFilter}: finds the copy; 404
 *   <li>{@link CopyPoolFilter}: counts the request as its kind of work
 *   <li>{@link DamageFilter}: reports a copy that has read a damaged file; 503
 * </ol>
 */
public final class ShardRoutes {

  private static final String PREFIX = "/_internal/shards";
  private static final String SHARD = PREFIX + "/{index}/{number}/";

  private final List<HandlerFilterFunction<InternalResponse, InternalResponse>> filters;

  /** Routes of a node without closed indices. */
  public ShardRoutes(HostedCopies copies, Pools pools) {
    this(copies, pools, (shard, endpoint) -> Optional.empty(), (copy, reason) -> {});
  }

  /**
   * @param resting the response to a {@code GET} for a copy of a closed index, by the endpoint's
   *     name
   * @param damaged called with a copy that has read a damaged file, and the damage
   */
  public ShardRoutes(
      HostedCopies copies,
      Pools pools,
      BiFunction<ShardId, String, Optional<Object>> resting,
      BiConsumer<ShardCopy, String> damaged) {
    this.filters =
        List.of(
            new CopyFilter(copies, resting), new CopyPoolFilter(pools), new DamageFilter(damaged));
  }

  /**
   * @param endpoints by method and name: {@code POST bulk}
   */
  public InternalEndpoints of(Map<String, ShardEndpoint> endpoints) {
    return new InternalEndpoints(
        PREFIX,
        endpoints.entrySet().stream()
            .flatMap(endpoint -> routes(endpoint.getKey(), endpoint.getValue()))
            .toList());
  }

  private Stream<InternalRoute> routes(String methodAndName, ShardEndpoint endpoint) {
    String[] parts = methodAndName.split(" ", 2);
    return Stream.of(SHARD + parts[1], SHARD + parts[1] + "/{rest}")
        .map(
            template -> new InternalRoute(parts[0], template, parts[1], filters, onCopy(endpoint)));
  }

  private static InternalEndpoint onCopy(ShardEndpoint endpoint) {
    return (InternalCall call) ->
        endpoint.handle(
            CopyFilter.copy(call),
            Objects.requireNonNullElse(call.variable("rest"), ""),
            call.request(),
            call.response());
  }
}
