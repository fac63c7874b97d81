package io.varve.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.stats.NodeReport;
import io.varve.cluster.stats.Traffic;
import io.varve.http.route.RoutingConfiguration;
import io.varve.metrics.Metric;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import org.eclipse.jetty.io.ConnectionStatistics;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** The HTTP server of a service: threads, client limits, counters, times, routing. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({HttpLimits.class, MetricsProperties.class})
@Import({RoutingConfiguration.class, ProcessMeters.class})
public class HttpServerConfiguration {

  static final Metric CONNECTIONS = Metric.gauge("varve.http.connections", "Open connections");
  static final Metric CONNECTIONS_REFUSED =
      Metric.counter(
          "varve.http.connections.refused",
          "Connections closed immediately because `http.max-connections` were open");
  static final Metric CONNECTIONS_ENDED =
      Metric.counter(
          "varve.http.connections.ended",
          "Connections closed because the headers were not complete within `http.header-timeout`,"
              + " because a body or an answer was slower than `http.min-rate` or silent for"
              + " `http.idle-timeout`, or because the connection was idle while connections were"
              + " scarce; the log shows the same counts, at most every 10 s",
          "reason");

  /** A bulk of half a megabyte is read by eight system calls instead of sixty. */
  private static final int INPUT_BUFFER_BYTES = 64 << 10;

  /**
   * An unlimited number of virtual threads. With a limit, requests that wait for their clients
   * could hold all permits, leaving none for the connector tasks that would wake or end them. The
   * limit on connections bounds the number of requests instead.
   *
   * <p>A process with several services has a main thread that keeps it alive.
   */
  @Bean
  WebServerFactoryCustomizer<JettyServletWebServerFactory> unlimitedThreads(
      Environment environment) {
    boolean isKeptAlive = environment.getProperty("varve.one-process", Boolean.class, false);
    return factory -> factory.setThreadPool(isKeptAlive ? new RequestThreads() : keepingAlive());
  }

  private static VirtualThreadPool keepingAlive() {
    VirtualThreadPool threads = new VirtualThreadPool(0);
    threads.setName("jetty-");
    return threads;
  }

  @Bean
  GracefulStop gracefulStop(
      HttpLimits http,
      ObjectProvider<GracefulStop.Limits> limits,
      ObjectProvider<StopListener> listeners) {
    return new GracefulStop(
        limits.getIfAvailable(() -> GracefulStop.Limits.of(http.drainTimeout())),
        listeners,
        System::nanoTime);
  }

  @Bean
  WebServerFactoryCustomizer<JettyServletWebServerFactory> noSessions() {
    return factory -> factory.addServerCustomizers(NoSessions::customize);
  }

  @Bean
  AcceptedBySelectors acceptedBySelectors() {
    return new AcceptedBySelectors();
  }

  @Bean
  WebServerFactoryCustomizer<JettyServletWebServerFactory> limitedClients(
      HttpLimits limits, MeterRegistry meters, GracefulStop stop) {
    return factory ->
        factory.addServerCustomizers(server -> stop.serves(server, watch(server, limits, meters)));
  }

  private static ConnectionWatch watch(Server server, HttpLimits limits, MeterRegistry meters) {
    ConnectionWatch watch =
        new ConnectionWatch(
            limits.pace(),
            limits.connections(Runtime.getRuntime().maxMemory()),
            new ConnectionCounts(),
            System::nanoTime,
            HttpTimer.ofThisProcess(),
            server.getThreadPool());
    server.addBean(watch, true);
    for (Connector connector : server.getConnectors()) {
      connector.addBean(watch, false);
      if (connector instanceof AbstractConnector timed) {
        timed.setIdleTimeout(limits.idleTimeout().toMillis());
        // On a stop, GracefulStop ends connections, except those in use.
        timed.setShutdownIdleTimeout(limits.idleTimeout().toMillis());
        endable(timed, watch);
      }
      HttpConnectionFactory http = connector.getConnectionFactory(HttpConnectionFactory.class);
      if (http != null) {
        http.setInputBufferSize(INPUT_BUFFER_BYTES);
        http.getHttpConfiguration()
            .setRequestHeaderSize(Math.toIntExact(limits.maxHeaderSize().toBytes()));
      }
    }
    server.setHandler(new PacedHandler(watch, server.getHandler()));
    register(watch, meters);
    return watch;
  }

  private static void endable(AbstractConnector connector, ConnectionWatch watch) {
    List<ConnectionFactory> factories = new ArrayList<>(connector.getConnectionFactories());
    factories.replaceAll(factory ->
        factory instanceof HttpConnectionFactory http
            ? new EndableConnection.Factory(http, watch::endsWaiting)
            : factory);
    connector.setConnectionFactories(factories);
  }

  private static void register(ConnectionWatch watch, MeterRegistry meters) {
    ConnectionCounts counts = watch.counts();
    CONNECTIONS.register(meters, watch, ConnectionWatch::open);
    CONNECTIONS_REFUSED.register(meters, counts, ConnectionCounts::refused);
    for (Verdict verdict : EnumSet.complementOf(EnumSet.of(Verdict.KEEP))) {
      CONNECTIONS_ENDED.register(
          meters, counts, c -> c.ended(verdict), verdict.name().toLowerCase(Locale.ROOT));
    }
  }

  /** Precedes all other filters, so that their time is included. */
  @Bean
  FilterRegistrationBean<RequestTimes> requestTimes(MeterRegistry meters) {
    FilterRegistrationBean<RequestTimes> registration =
        new FilterRegistrationBean<>(new RequestTimes(meters, System::nanoTime));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return registration;
  }

  /** Counts connections and their bytes. */
  @Bean
  WebServerFactoryCustomizer<JettyServletWebServerFactory> countedConnections(NodeReport report) {
    return factory ->
        factory.addServerCustomizers(server -> {
          ConnectionStatistics counts = new ConnectionStatistics();
          for (Connector connector : server.getConnectors()) {
            connector.addBean(counts);
          }
          report.server(() ->
              new Traffic.Server(
                  counts.getConnections(),
                  counts.getConnectionsTotal(),
                  counts.getReceivedMessages(),
                  counts.getSentMessages(),
                  counts.getReceivedBytes(),
                  counts.getSentBytes()));
        });
  }
}
