package io.varve.host.search;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterView;
import io.varve.engine.search.SearchSlices;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that search slices of shards, one for each processor. If none is free, the slice is
 * searched on the search's own thread, so no slice waits for a thread.
 */
public final class SliceWorkers {

  private static final long IDLE_SECONDS = 30;

  private SliceWorkers() {}

  /** The slices according to the cluster settings. */
  public static SearchSlices slices(ClusterView cluster) {
    int processors = Runtime.getRuntime().availableProcessors();
    return new SearchSlices(
        workers(processors),
        () -> {
          String mode = ClusterSettings.value(cluster.current(), ClusterSettings.SLICES_MODE);
          return mode == null ? "auto" : mode;
        },
        () -> {
          String most = ClusterSettings.value(cluster.current(), ClusterSettings.MAX_SLICES);
          return most == null ? SearchSlices.usualMost(processors) : Integer.parseInt(most);
        });
  }

  private static Executor workers(int most) {
    return new ThreadPoolExecutor(
        0,
        most,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        Thread.ofPlatform().name("search-slice-", 0).daemon().factory(),
        new ThreadPoolExecutor.DiscardPolicy());
  }
}
