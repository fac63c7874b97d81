package io.varve.host.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.host.ShardNode;
import io.varve.http.audit.AuditLog;
import io.varve.http.audit.AuditMeters;
import io.varve.http.audit.AuditedPeers;
import io.varve.http.security.PeerRefusals;
import io.varve.http.security.SecurityProperties;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The audit log of a node: calls of processes that it refused. Coordinators create the topic; until
 * it exists, events wait.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("varve.security.enabled")
class AuditConfiguration {

  /**
   * The node is looked up lazily, because the beans that check certificates are created before it.
   */
  @Bean(destroyMethod = "close")
  AuditLog auditLog(
      ObjectProvider<ShardNode> node, SecurityProperties properties, MeterRegistry meters) {
    AuditLog audit =
        new AuditLog(
            () -> {
              ShardNode own = node.getObject();
              return own.context().log().open(own.context().topics().audit(), 0);
            },
            properties.auditQueueSize());
    AuditMeters.register(audit, meters);
    return audit;
  }

  @Bean
  PeerRefusals peerRefusals(
      AuditLog log, NodeProperties properties, NodeRole role, MeterRegistry meters) {
    AuditedPeers peers = new AuditedPeers(log, properties.nameOr(role), InstantSource.system());
    AuditMeters.register(peers, meters);
    return peers;
  }

  @Bean
  ApplicationListener<WebServerInitializedEvent> startAudit(AuditLog log) {
    return _ -> log.start();
  }
}
