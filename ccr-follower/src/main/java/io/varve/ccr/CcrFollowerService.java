package io.varve.ccr;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.NodeInfo;
import io.varve.host.CopyFactory;
import io.varve.host.CopyKinds;
import io.varve.host.NodeContext;
import io.varve.host.ShardNode;
import io.varve.host.spring.NodeConfiguration;
import io.varve.host.spring.NodeDefaults;
import io.varve.host.spring.NodeRole;
import io.varve.http.MetricsProperties;
import io.varve.http.ServiceAutoConfiguration;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalRoute;
import io.varve.process.ProcessGuard;
import io.varve.rpc.PullerStats;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * The service that pulls operations from indices of other clusters into the follower indices of
 * this cluster.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ServiceAutoConfiguration
@Import(NodeConfiguration.class)
public class CcrFollowerService {

  @Bean
  NodeRole role() {
    return new NodeRole("ccr-follower", Set.of(NodeInfo.CCR));
  }

  /** Shard copies are never allocated to a node of this role. */
  @Bean
  Function<NodeContext, CopyFactory> copies() {
    return new CopyKinds(List.of())::on;
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  FollowHost followHost(ShardNode node) {
    return new FollowHost(node.context());
  }

  @Bean
  FollowerMeters followerMeters(
      FollowHost host, ShardNode node, MeterRegistry meters, MetricsProperties properties) {
    NodeContext context = node.context();
    FollowerMeters followers =
        new FollowerMeters(host::stats, context::indexName, meters, properties.copies());
    var _ =
        context
            .timer()
            .scheduleWithFixedDelay(
                () -> context.blocking().execute(followers::renew), 1, 1, TimeUnit.SECONDS);
    return followers;
  }

  /** The progress of this node's pullers: a JSON array of {@link PullerStats}. */
  @Bean
  InternalEndpoints pullerRoutes(FollowHost host) {
    String path = "/_internal/ccr/stats";
    return new InternalEndpoints(path, List.of(InternalRoute.json(path, "ccr/stats", host::stats)));
  }

  /**
   * Starts the service and returns when it answers requests; properties have the form {@code
   * --varve.data=…}.
   */
  public static ConfigurableApplicationContext start(String... arguments) {
    return NodeDefaults.start(CcrFollowerService.class, arguments);
  }

  /** Runs the service as a process of its own. */
  public static void main(String[] arguments) {
    ProcessGuard.install();
    ConfigurableApplicationContext context = start(arguments);
    ProcessGuard.dumpInto(Path.of(context.getEnvironment().getProperty("varve.data", "data")));
  }
}
