package io.varve.rest.route;

import io.varve.rest.UnreadableRequests;
import org.eclipse.jetty.ee11.servlet.ServletHandler;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.jetty.JettyServerCustomizer;

/**
 * Makes Jetty accept the paths of the dialect: ids and index expressions may contain any character,
 * including encoded slashes. Malformed HTTP requests get an error body of the dialect.
 */
public final class AnyPath implements JettyServerCustomizer {

  private final UnreadableRequests unreadable;

  public AnyPath(UnreadableRequests unreadable) {
    this.unreadable = unreadable;
  }

  @Override
  public void customize(Server server) {
    server.setErrorHandler(unreadable);
    for (Connector connector : server.getConnectors()) {
      HttpConfiguration.ConnectionFactory factory =
          connector.getConnectionFactory(HttpConfiguration.ConnectionFactory.class);
      if (factory != null) {
        HttpConfiguration http = factory.getHttpConfiguration();
        http.setUriCompliance(UriCompliance.LEGACY);
        http.setSendServerVersion(false);
      }
    }
    for (ServletHandler handler : server.getDescendants(ServletHandler.class)) {
      handler.setDecodeAmbiguousURIs(true);
    }
  }
}
