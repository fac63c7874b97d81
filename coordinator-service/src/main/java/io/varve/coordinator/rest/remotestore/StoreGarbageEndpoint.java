package io.varve.coordinator.rest.remotestore;

import static io.varve.rest.JsonObjects.object;

import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.time.Duration;
import java.util.List;

/**
 * {@code _remotestore/_garbage}: the remaining objects of deleted indices in the segment store.
 * With {@code dry_run=false}, everything that is due is deleted immediately.
 */
public final class StoreGarbageEndpoint implements RestEndpoint {

  private final StoreReader store;

  public StoreGarbageEndpoint(StoreReader store) {
    this.store = store;
  }

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_remotestore/_garbage");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    boolean dryRun = request.flag("dry_run", true);
    Duration timeout = request.time("timeout", Duration.ofSeconds(60));
    return responder -> {
      List<StoreReader.Leftover> left = store.garbage(dryRun, timeout);
      responder.json(
          200,
          object(
              "dry_run", dryRun,
              "objects", left.stream().mapToInt(StoreReader.Leftover::objects).sum(),
              "size_in_bytes", left.stream().mapToLong(StoreReader.Leftover::bytes).sum(),
              "deleted_indices",
                  left.stream()
                      .map(one ->
                          object(
                              "index_uuid", one.indexUuid(),
                              "objects", one.objects(),
                              "size_in_bytes", one.bytes(),
                              "needed_by_another_index", one.needed(),
                              "due_in_millis", one.dueInMillis()))
                      .toList()));
    };
  }
}
