package io.varve.host.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.stats.NodeReport;
import io.varve.engine.search.ShardSearcher;
import io.varve.host.ShardNode;
import io.varve.host.search.NodeCaches;
import io.varve.host.search.NodeTasks;
import io.varve.host.search.ReaderContexts;
import io.varve.host.search.SearchHandler;
import io.varve.host.search.SearchPool;
import io.varve.host.search.ShardSearches;
import io.varve.host.search.SliceWorkers;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the search components of a node: its workers, and its work for tasks of coordinators. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SearchPoolProperties.class)
public class NodeSearchConfiguration {

  @Bean
  NodeTasks nodeTasks() {
    return new NodeTasks(InstantSource.system());
  }

  /** Closed before the node, whose copies it reads. */
  @Bean(destroyMethod = "close")
  ReaderContexts readerContexts(ShardNode node) {
    ClusterView cluster = node.context().cluster();
    ReaderContexts contexts =
        new ReaderContexts(
            node.context().timer(),
            node.context().clock(),
            kind -> maxOpen(kind, cluster.current()));
    node.host().beforeClosing(contexts::copyClosing);
    return contexts;
  }

  private static int maxOpen(String kind, ClusterState state) {
    String setting =
        kind.equals("PIT") ? ClusterSettings.MAX_OPEN_PITS : ClusterSettings.MAX_OPEN_SCROLLS;
    return Integer.parseInt(String.valueOf(ClusterSettings.value(state, setting)));
  }

  @Bean(destroyMethod = "close")
  SearchPool searchPool(SearchPoolProperties properties, NodeReport report, MeterRegistry meters) {
    SearchPool pool = new SearchPool(properties.bounds(), System::nanoTime);
    pool.shownAs(report.pools().of("search"));
    SearchPoolMeters.register(pool, meters);
    return pool;
  }

  @Bean
  ShardSearches shardSearches(
      ShardNode node,
      ReaderContexts contexts,
      SearchHandler handler,
      NodeCaches caches,
      NodeBreakers breakers,
      NodeReport report) {
    report.section("breakers", breakers::stats);
    ClusterView cluster = node.context().cluster();
    return new ShardSearches(
        cluster,
        contexts,
        handler,
        caches,
        new ShardSearcher(breakers.requests(), SliceWorkers.slices(cluster), System::nanoTime));
  }

  @Bean
  SearchHandler searchDesk(SearchPool pool, NodeTasks tasks, NodeBreakers breakers) {
    return new SearchHandler(pool, tasks, breakers.parent());
  }
}
