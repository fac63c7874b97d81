package io.varve.http.internal;

import io.varve.cluster.PublishAddress;
import io.varve.cluster.local.LocalNode;
import io.varve.cluster.local.LocalNodes;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Lists a node among those of its process while its server listens. Nodes with TLS publish another
 * address, and are called over TLS.
 */
final class LocalListing implements ApplicationListener<ApplicationEvent> {

  private final LocalNodes nodes;
  private final LocalNode node;
  private final String host;

  LocalListing(LocalNodes nodes, LocalNode node, String host) {
    this.nodes = nodes;
    this.node = node;
    this.host = host;
  }

  @Override
  public void onApplicationEvent(ApplicationEvent event) {
    if (event instanceof WebServerInitializedEvent listening) {
      nodes.add(
          new PublishAddress(false, listening.getWebServer().getPort()).url(null, host), node);
    } else if (event instanceof ContextClosedEvent) {
      nodes.remove(node);
    }
  }
}
