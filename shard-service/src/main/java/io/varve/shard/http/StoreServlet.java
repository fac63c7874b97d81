package io.varve.shard.http;

import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.host.http.Bodies;
import io.varve.rpc.ErrorBody;
import io.varve.shard.remote.StoreJanitor;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.StoreCatalog;
import io.varve.store.StoredPoints;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of this node's segment store, under {@code /_internal/store}: {@code GET /indices},
 * {@code GET /indices/{uuid}}, {@code GET /points/{uuid}/{shard}}, {@code GET /garbage}; {@code
 * POST /garbage} deletes the garbage that is due.
 */
public final class StoreServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;
  private static final int POINTS = 5;

  private final transient @Nullable StoreAccess store;
  private final transient @Nullable StoreJanitor janitor;

  /** Both are {@code null} on a node without a store. */
  public StoreServlet(@Nullable StoreAccess store, @Nullable StoreJanitor janitor) {
    this.store = store;
    this.janitor = janitor;
  }

  /** The action of a path; {@code null} for an unknown path. */
  private interface Answer {
    @Nullable Object read(StoreAccess store, StoreJanitor janitor, String[] path)
        throws IOException, InterruptedException;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    answer(request, response, StoreServlet::read);
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    answer(
        request,
        response,
        (_, sweeper, path) ->
            path.length == 2 && path[1].equals("garbage") ? sweeper.sweep() : null);
  }

  private void answer(HttpServletRequest request, HttpServletResponse response, Answer answer)
      throws IOException {
    if (store == null || janitor == null) {
      Bodies.sendError(response, ErrorBody.illegalArgument("this node has no segment store"));
      return;
    }
    String path = String.valueOf(request.getPathInfo());
    try {
      Object found = answer.read(store, janitor, path.split("/", -1));
      if (found == null) {
        Bodies.sendError(
            response,
            ErrorBody.of(404, "resource_not_found_exception", "nothing at [" + path + "]"));
      } else {
        Bodies.sendJson(response, found);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Bodies.sendError(response, unavailable("interrupted"));
    } catch (IOException e) {
      Bodies.sendError(response, unavailable(String.valueOf(e.getMessage())));
    }
  }

  private static ErrorBody unavailable(String reason) {
    return ErrorBody.of(503, "segment_store_exception", "the segment store: " + reason);
  }

  private static @Nullable Object read(StoreAccess store, StoreJanitor janitor, String[] path)
      throws IOException, InterruptedException {
    return switch (path.length) {
      case 2 ->
          switch (path[1]) {
            case "indices" -> new StoreCatalog(store.store()).entries();
            case "garbage" -> janitor.look();
            default -> null;
          };
      case 3 -> path[1].equals("indices") ? new StoreCatalog(store.store()).index(path[2]) : null;
      case 4 ->
          path[1].equals("points") && path[3].matches("\\d{1,9}")
              ? newest(new StoredPoints(store.store()), path[2], Integer.parseInt(path[3]))
              : null;
      default -> null;
    };
  }

  private static List<StoredManifest> newest(StoredPoints points, String uuid, int shard)
      throws IOException {
    List<StoredManifest> newest = new ArrayList<>();
    for (SegmentStore.Key key : points.keys(new ShardId(uuid, shard))) {
      if (newest.size() < POINTS) {
        newest.add(points.read(key).stored());
      }
    }
    return newest;
  }
}
