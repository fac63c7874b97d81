package io.varve.host.http;

import io.varve.cluster.stats.Pool;
import io.varve.cluster.stats.Pools;
import io.varve.http.internal.InternalCall;
import io.varve.http.internal.InternalResponse;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/** Counts the request in the pool of its kind of work. */
final class CopyPoolFilter implements HandlerFilterFunction<InternalResponse, InternalResponse> {

  private final Pools pools;

  CopyPoolFilter(Pools pools) {
    this.pools = pools;
  }

  @Override
  public InternalResponse filter(ServerRequest request, HandlerFunction<InternalResponse> next)
      throws Exception {
    Pool pool = pools.of(kindOfWork(InternalCall.of(request).name()));
    pool.begin();
    try {
      return next.handle(request);
    } finally {
      pool.end();
    }
  }

  static String kindOfWork(String endpoint) {
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
}
