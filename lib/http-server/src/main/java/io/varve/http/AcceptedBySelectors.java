package io.varve.http;

import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/**
 * Makes the connectors of a server accept connections on the threads of their selectors, which
 * {@link ListeningPort} requires, and use the {@link HttpTimer}. Spring configures the acceptors
 * only for a connector without TLS.
 *
 * <p>Precedes the customizers that refer to connectors.
 */
final class AcceptedBySelectors
    implements WebServerFactoryCustomizer<JettyServletWebServerFactory>, Ordered {

  private static final int NO_ACCEPTOR_THREADS = 0;

  @Override
  public void customize(JettyServletWebServerFactory factory) {
    factory.addServerCustomizers(AcceptedBySelectors::replaceConnectors);
  }

  private static void replaceConnectors(Server server) {
    Connector[] connectors = server.getConnectors();
    for (int n = 0; n < connectors.length; n++) {
      connectors[n] = like((ServerConnector) connectors[n]);
    }
    server.setConnectors(connectors);
  }

  private static ServerConnector like(ServerConnector connector) {
    ServerConnector made =
        new ServerConnector(
            connector.getServer(),
            connector.getExecutor(),
            HttpTimer.ofThisProcess(),
            connector.getByteBufferPool(),
            NO_ACCEPTOR_THREADS,
            connector.getSelectorManager().getSelectorCount(),
            connector.getConnectionFactories().toArray(ConnectionFactory[]::new));
    made.setDefaultProtocol(connector.getDefaultProtocol());
    made.setName(connector.getName());
    made.setHost(connector.getHost());
    made.setPort(connector.getPort());
    return made;
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }
}
