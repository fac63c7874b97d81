package io.varve.coordinator;

import io.varve.coordinator.cluster.ClusterConfiguration;
import io.varve.coordinator.follow.FollowConfiguration;
import io.varve.coordinator.security.SecurityConfiguration;
import io.varve.http.HttpServerConfiguration;
import io.varve.http.MemberConfiguration;
import io.varve.http.ServiceAutoConfiguration;
import io.varve.http.ServiceDefaults;
import io.varve.http.internal.InternalRoutingConfiguration;
import io.varve.process.ProcessGuard;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/**
 * The service to which clients connect. It serves the REST dialect, and can be elected to lead the
 * cluster.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ServiceAutoConfiguration
@Import({
  HttpServerConfiguration.class,
  InternalRoutingConfiguration.class,
  MemberConfiguration.class,
  CoordinatorConfiguration.class,
  MetersConfiguration.class,
  ClusterConfiguration.class,
  FollowConfiguration.class,
  SecurityConfiguration.class,
  RestConfiguration.class
})
public class CoordinatorService {

  private static final Map<String, Object> DEFAULTS =
      Map.of(
          "server.port",
          "9200",
          "management.metrics.distribution.slo.http.server.requests",
          "5ms,10ms,25ms,50ms,100ms,250ms,500ms,1s,2500ms,10s");

  /**
   * Starts the service and returns when it serves requests. Properties are passed as {@code
   * --varve.data=…}.
   */
  public static ConfigurableApplicationContext start(String... arguments) {
    return ServiceDefaults.application(CoordinatorService.class, DEFAULTS).run(arguments);
  }

  /** Runs the service as a separate process. */
  public static void main(String[] arguments) {
    ProcessGuard.install();
    ConfigurableApplicationContext context = start(arguments);
    ProcessGuard.dumpInto(Path.of(context.getEnvironment().getProperty("varve.data", "data")));
  }
}
