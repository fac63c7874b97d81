package io.varve.http;

import io.varve.cluster.ClusterMember;
import io.varve.cluster.ClusterView;
import io.varve.process.EssentialThreads;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health and logger levels of a service that is a member of a cluster. */
@Configuration(proxyBeanMethods = false)
public class MemberConfiguration {

  @Bean
  ClusterView.Registration loggerLevels(ClusterMember member) {
    return member.view().listen(ProcessLoggers.levels().listener());
  }

  /** Reported as {@code clusterLog} by {@code /_actuator/health}. */
  @Bean
  HealthIndicator clusterLog(ClusterMember member) {
    return () ->
        member.lostReason().isEmpty()
            ? Health.up().build()
            : Health.down().withDetail("reason", member.lostReason()).build();
  }

  /**
   * Reported as {@code membership} by {@code /_actuator/health}. After a restart, the cluster state
   * contains the node's earlier process for some time, whose copies appear as started.
   */
  @Bean
  HealthIndicator membership(ClusterMember member) {
    return () ->
        member.joined()
            ? Health.up().build()
            : Health.outOfService()
                .withDetail("reason", "this process is not a member of the cluster yet")
                .build();
  }

  /** Reported as {@code essentialThreads} by {@code /_actuator/health}. */
  @Bean
  HealthIndicator essentialThreads() {
    return () -> {
      Map<String, String> dead = EssentialThreads.ofThisProcess().dead();
      return dead.isEmpty() ? Health.up().build() : Health.down().withDetail("dead", dead).build();
    };
  }
}
