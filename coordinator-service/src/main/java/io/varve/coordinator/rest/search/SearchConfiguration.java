package io.varve.coordinator.rest.search;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.client.NodeClient;
import io.varve.client.ShardClient;
import io.varve.client.consistency.KnownSeqNos;
import io.varve.client.consistency.PromisedReads;
import io.varve.client.routing.CopySelector;
import io.varve.client.routing.CopyTrials;
import io.varve.client.routing.LaggingCopies;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.document.DocumentFetcher;
import io.varve.coordinator.rest.document.ReplicationStates;
import io.varve.coordinator.rest.shard.CopySelectionConfiguration;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.memory.ParentBreaker;
import io.varve.metrics.Metric;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestEndpoints;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires the endpoints of searches. */
@Configuration(proxyBeanMethods = false)
@Import(CopySelectionConfiguration.class)
public class SearchConfiguration {

  static final Metric DRAINED =
      Metric.gauge(
          "varve.search.copies.drained",
          "Copies that get no searches from this coordinator because they lag for longer than"
              + " `cluster.routing.search.lag.limit`");

  @Bean
  CopySelector copySelector(ClusterAccess cluster) {
    return new RoundRobinSelector(() -> {
      NodeInfo local = cluster.state().nodes().get(cluster.localNodeId());
      return local == null ? null : NodeFilter.host(local);
    });
  }

  @Bean
  LaggingCopies laggards(ClusterAccess cluster, ObjectProvider<MeterRegistry> meters) {
    LaggingCopies laggards = new LaggingCopies(cluster);
    DRAINED.register(
        meters.getIfAvailable(SimpleMeterRegistry::new), laggards, LaggingCopies::count);
    return laggards;
  }

  @Bean
  SearchRouter searchRouter(
      CopySelector selector,
      LaggingCopies laggards,
      PromisedReads reads,
      CopyTrials trials,
      Parallel parallel) {
    return new SearchRouter(selector, laggards, reads, trials, parallel);
  }

  @Bean
  Searches searches(
      ClusterAccess cluster,
      SearchRouter router,
      ShardClient client,
      NodeClient nodes,
      Parallel parallel,
      DocumentFetcher documents,
      Tasks tasks,
      KnownSeqNos known,
      ParentBreaker memory,
      InstantSource restClock) {
    SearchGathering gathering =
        new SearchGathering(key -> documents.source(key.index(), key.id(), key.routing()));
    return new Searches(
        cluster,
        router,
        client,
        new ContextNodes(nodes, parallel),
        new Searches.Around(gathering, new GroupSearches(parallel), tasks, known, memory),
        restClock);
  }

  @Bean
  HitPages.Source hitPages(ClusterAccess cluster, Searches searches) {
    return new HitPages.Source(cluster, searches);
  }

  @Bean
  Counter documentCounter(Searches searches) {
    return new Counter(searches);
  }

  @Bean
  QueryVerdicts queryVerdicts(SearchRouter router, ShardClient client, InstantSource restClock) {
    return new QueryVerdicts(router, client, restClock);
  }

  @Bean
  RestEndpoints searchEndpoints(
      ClusterAccess cluster,
      Searches searches,
      Counter counter,
      QueryVerdicts verdicts,
      CopySelector selector,
      Tasks tasks,
      Parallel parallel,
      ReplicationStates states) {
    List<RestEndpoint> endpoints = new ArrayList<>(PitEndpoint.all(searches.pits()));
    endpoints.add(new SearchEndpoint(searches, new HitStates(cluster, states)));
    endpoints.add(new ExplainEndpoint(searches));
    endpoints.add(new ScrollEndpoint(cluster, searches.scrolls()));
    endpoints.add(new MultiSearchEndpoint(searches, tasks, parallel));
    endpoints.add(new SearchShardsEndpoint(cluster, selector));
    endpoints.add(new ValidateQueryEndpoint(cluster, verdicts));
    endpoints.add(new CountEndpoint(counter));
    return new RestEndpoints(endpoints);
  }
}
