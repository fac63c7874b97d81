package io.varve.coordinator.rest.shard;

import io.varve.client.CopyReader;
import io.varve.client.HttpNodeClient;
import io.varve.client.HttpNodeMetrics;
import io.varve.client.HttpNodeReports;
import io.varve.client.HttpNodeThreads;
import io.varve.client.HttpShardClient;
import io.varve.client.NodeClient;
import io.varve.client.NodeHttp;
import io.varve.client.NodeMetrics;
import io.varve.client.NodeReader;
import io.varve.client.NodeThreads;
import io.varve.client.ShardClient;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.memory.ParentBreaker;
import io.varve.process.Parallel;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the clients of nodes and of the copies on them. */
@Configuration(proxyBeanMethods = false)
public class ShardClientConfiguration {

  @Bean
  ShardClient shardClient(NodeHttp http, ParentBreaker memory, ClusterAccess cluster) {
    return new HttpShardClient(
        http,
        size -> memory.newArray(size, "<search_answer>"),
        uuid -> cluster.newestState().metadataVersion(uuid));
  }

  @Bean
  NodeClient nodeClient(NodeHttp http) {
    return new HttpNodeClient(http);
  }

  @Bean
  NodeReader nodeReader(NodeHttp http, Parallel parallel) {
    return new NodeReader(new HttpNodeReports(http), parallel);
  }

  @Bean
  NodeThreads nodeThreads(NodeHttp http) {
    return new HttpNodeThreads(http);
  }

  @Bean
  NodeMetrics nodeMetrics(NodeHttp http) {
    return new HttpNodeMetrics(http);
  }

  @Bean
  CopyReader copyStatsReader(ShardClient client, Parallel parallel) {
    return new CopyReader(client, parallel);
  }
}
