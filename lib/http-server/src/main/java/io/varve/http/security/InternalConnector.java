package io.varve.http.security;

import io.varve.cluster.PublishAddress;
import io.varve.process.RevocationTrust;
import io.varve.process.Revocations;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.net.ssl.TrustManager;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.core.Ordered;

/**
 * The second port of a service with TLS, for the other processes of the cluster: it requires a
 * certificate that a trusted authority signed. The first port serves clients, which need no
 * certificate.
 *
 * <p>Both use the same bundle of certificates. Spring Boot does not pass a changed bundle to Jetty,
 * so {@link #reload} does: later handshakes use the new certificates, and open connections
 * continue. The files are checked for changes before the handshake of each accepted connection.
 */
public final class InternalConnector
    implements WebServerFactoryCustomizer<JettyServletWebServerFactory>, Ordered {

  private static final Logger LOG = LoggerFactory.getLogger(InternalConnector.class);

  /**
   * Changes of the certificates.
   *
   * @param look puts the current certificates into use if they have changed
   * @param revocations the revoked certificates, to check those of clients
   */
  record Changes(Runnable look, Supplier<Revocations> revocations) {}

  private final SslBundle bundle;
  private final int port;
  private final Changes changes;
  private final InstantSource clock;
  private final PeerRefusals refusals;
  private final List<SslContextFactory.Server> contexts = new CopyOnWriteArrayList<>();
  private final AtomicInteger reloads = new AtomicInteger();
  private volatile @Nullable ServerConnector connector;

  /**
   * @param port 0 for any free port
   */
  InternalConnector(
      SslBundle bundle, int port, Changes changes, InstantSource clock, PeerRefusals refusals) {
    this.bundle = bundle;
    this.port = port;
    this.changes = changes;
    this.clock = clock;
    this.refusals = refusals;
  }

  /**
   * The address for other processes: that of this connector, or, without it, that of the only
   * connector.
   *
   * @param internal null without TLS
   * @param event the event that the server listens
   */
  public static PublishAddress address(
      @Nullable InternalConnector internal, WebServerInitializedEvent event) {
    return internal == null
        ? new PublishAddress(false, event.getWebServer().getPort())
        : new PublishAddress(true, internal.port());
  }

  /** The port on which it listens; -1 before the server is started. */
  public int port() {
    ServerConnector started = connector;
    return started == null ? -1 : started.getLocalPort();
  }

  /** Precedes the customizers that set limits and counters of all connectors. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public void customize(JettyServletWebServerFactory factory) {
    factory.addServerCustomizers(this::addTo);
  }

  private void addTo(Server server) {
    ServerConnector rest = (ServerConnector) server.getConnectors()[0];
    HttpConfiguration http =
        new HttpConfiguration(
            rest.getConnectionFactory(HttpConnectionFactory.class).getHttpConfiguration());
    http.addCustomizer(new PeerCertificates(clock, changes.revocations()));
    SslContextFactory.Server context =
        new SslContextFactory.Server() {
          @Override
          protected TrustManager[] getTrustManagers(KeyStore trust, Collection<? extends CRL> lists)
              throws Exception {
            return RevocationTrust.around(
                super.getTrustManagers(trust, lists), changes.revocations());
          }
        };
    context.setNeedClientAuth(true);
    use(bundle, context);
    SslConnectionFactory tls = new SslConnectionFactory(context, HttpVersion.HTTP_1_1.asString());
    ServerConnector added =
        new ServerConnector(
            server,
            null,
            rest.getScheduler(),
            null,
            rest.getAcceptors(),
            -1,
            tls,
            new HttpConnectionFactory(http));
    added.addBean(
        new SslHandshakeListener() {
          @Override
          public void handshakeFailed(Event event, Throwable failure) {
            refusals.refused(refusal(event, failure));
          }
        });
    added.setName("internal");
    added.setHost(rest.getHost());
    added.setPort(port);
    server.addConnector(added);
    connector = added;
    for (Connector one : server.getConnectors()) {
      one.addBean(beforeTheHandshake());
      contexts.add(one.getConnectionFactory(SslConnectionFactory.class).getSslContextFactory());
    }
  }

  private SelectorManager.AcceptListener beforeTheHandshake() {
    return new SelectorManager.AcceptListener() {
      @Override
      public void onAccepting(SelectableChannel channel) {
        changes.look().run();
      }
    };
  }

  private static PeerRefusals.Refusal refusal(SslHandshakeListener.Event event, Throwable failure) {
    String address =
        event.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress remote
            ? remote.getAddress().getHostAddress()
            : "";
    return PeerRefusals.Refusal.ofConnection(address, String.valueOf(failure.getMessage()));
  }

  private static void use(SslBundle bundle, SslContextFactory.Server context) {
    context.setKeyStore(bundle.getStores().getKeyStore());
    context.setTrustStore(bundle.getStores().getTrustStore());
  }

  /** Uses other certificates from now on. */
  void reload(SslBundle changed) {
    for (SslContextFactory.Server context : contexts) {
      try {
        context.reload(_ -> use(changed, context));
      } catch (Exception e) {
        // Jetty keeps the previous certificates. Its method declares every exception.
        LOG.error("the changed certificates can't be used; the previous ones stay in use", e);
        return;
      }
    }
    reloads.incrementAndGet();
    LOG.info("the certificates of this process have changed");
  }

  /** The number of changes of the certificates. */
  int reloads() {
    return reloads.get();
  }
}
