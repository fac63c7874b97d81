package io.varve.coordinator.rest.index;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.document.Visibility;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code _refresh}: makes all writes acked before the request visible on every started copy. */
public final class RefreshEndpoint implements RestEndpoint {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final ClusterAccess cluster;
  private final Visibility visibility;
  private final Parallel parallel;

  public RefreshEndpoint(ClusterAccess cluster, Visibility visibility, Parallel parallel) {
    this.cluster = cluster;
    this.visibility = visibility;
    this.parallel = parallel;
  }

  private record Refreshed(IndexMetadata index, int shard, Visibility.Shown shown) {}

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_refresh", "/{index}/_refresh");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    request.hasBody();
    return responder -> {
      List<Refreshed> wanted = new ArrayList<>();
      for (IndexMetadata index : IndexResolver.resolve(cluster.state(), expression, options)) {
        for (ShardRouting shard : index.shards()) {
          wanted.add(
              new Refreshed(index, shard.shard().number(), new Visibility.Shown(0, 0, List.of())));
        }
      }
      List<Refreshed> done =
          parallel.map(
              wanted,
              one ->
                  new Refreshed(
                      one.index(),
                      one.shard(),
                      visibility.refresh(one.index().shard(one.shard()).shard(), TIMEOUT)));
      responder.json(200, Map.of("_shards", shards(done).toMap()));
    };
  }

  private static ShardCounts shards(List<Refreshed> done) {
    ShardCounts counts = new ShardCounts();
    for (Refreshed one : done) {
      counts.add(one.shown().copies(), one.shown().showing());
      one.shown()
          .failures()
          .forEach(failure -> counts.addFailure(one.index().name(), one.shard(), failure));
    }
    return counts;
  }
}
