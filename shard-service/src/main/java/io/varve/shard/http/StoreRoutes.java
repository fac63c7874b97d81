package io.varve.shard.http;

import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.http.internal.Bodies;
import io.varve.http.internal.InternalCall;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalRoute;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.shard.remote.StoreJanitor;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.StoreCatalog;
import io.varve.store.StoredPoints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows the content of this node's segment store, under {@code /_internal/store}: {@code GET
 * /indices}, {@code GET /indices/{uuid}}, {@code GET /points/{uuid}/{shard}}, {@code GET /garbage};
 * {@code POST /garbage} deletes the garbage whose grace period is over.
 */
public final class StoreRoutes {

  private static final String PREFIX = "/_internal/store";
  private static final int POINTS = 5;

  private final @Nullable StoreAccess store;
  private final @Nullable StoreJanitor janitor;

  private StoreRoutes(@Nullable StoreAccess store, @Nullable StoreJanitor janitor) {
    this.store = store;
    this.janitor = janitor;
  }

  /** Both are {@code null} on a node without a store. */
  public static InternalEndpoints of(@Nullable StoreAccess store, @Nullable StoreJanitor janitor) {
    StoreRoutes routes = new StoreRoutes(store, janitor);
    return new InternalEndpoints(
        PREFIX,
        List.of(
            routes.route(
                "GET", "indices", (open, _, _) -> new StoreCatalog(open.store()).entries()),
            routes.route(
                "GET",
                "indices/{uuid}",
                (open, _, call) ->
                    new StoreCatalog(open.store()).index(call.requiredVariable("uuid"))),
            routes.route("GET", "points/{uuid}/{shard}", StoreRoutes::points),
            routes.route("GET", "garbage", (_, sweeper, _) -> sweeper.look()),
            routes.route("POST", "garbage", (_, sweeper, _) -> sweeper.sweep())));
  }

  /** Reads the store; {@code null} if the requested object is not in it. */
  private interface Answer {
    @Nullable Object read(StoreAccess store, StoreJanitor janitor, InternalCall call)
        throws IOException, InterruptedException;
  }

  private InternalRoute route(String method, String path, Answer answer) {
    String name = "store/" + path.replaceAll("/\\{.*", "");
    return new InternalRoute(
        method,
        PREFIX + "/" + path,
        name,
        call -> Bodies.sendJson(call.response(), found(answer, call)));
  }

  private Object found(Answer answer, InternalCall call) {
    if (store == null || janitor == null) {
      throw new ApiException(ErrorBody.illegalArgument("this node has no segment store"));
    }
    try {
      Object found = answer.read(store, janitor, call);
      if (found == null) {
        throw new ApiException(
            404,
            "resource_not_found_exception",
            "nothing at [" + call.request().getPathInfo() + "]");
      }
      return found;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("interrupted");
    } catch (IOException e) {
      throw unavailable(String.valueOf(e.getMessage()));
    }
  }

  private static ApiException unavailable(String reason) {
    return new ApiException(503, "segment_store_exception", "the segment store: " + reason);
  }

  private static @Nullable Object points(StoreAccess store, StoreJanitor janitor, InternalCall call)
      throws IOException {
    String shard = call.requiredVariable("shard");
    return shard.matches("\\d{1,9}")
        ? newest(
            new StoredPoints(store.store()),
            new ShardId(call.requiredVariable("uuid"), Integer.parseInt(shard)))
        : null;
  }

  private static List<StoredManifest> newest(StoredPoints points, ShardId shard)
      throws IOException {
    List<StoredManifest> newest = new ArrayList<>();
    for (SegmentStore.Key key : points.keys(shard)) {
      if (newest.size() < POINTS) {
        newest.add(points.read(key).stored());
      }
    }
    return newest;
  }
}
