package io.varve.coordinator;

import io.varve.coordinator.cluster.ClusterConfiguration;
import io.varve.coordinator.follow.FollowConfiguration;
import io.varve.http.HttpServerConfiguration;
import io.varve.http.internal.InternalRoutingConfiguration;
import io.varve.process.ProcessGuard;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/**
 * The service to which clients connect. It serves the REST dialect, and can be elected to lead the
 * cluster.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
  HttpServerConfiguration.class,
  InternalRoutingConfiguration.class,
  CoordinatorConfiguration.class,
  ClusterConfiguration.class,
  FollowConfiguration.class,
  RestConfiguration.class
})
public class CoordinatorService {

  private static final Map<String, Object> DEFAULTS =
      Map.ofEntries(
          Map.entry("server.port", "9200"),
          Map.entry("server.address", "${varve.host:127.0.0.1}"),
          Map.entry("server.shutdown", "immediate"),
          Map.entry("spring.threads.virtual.enabled", "true"),
          Map.entry("spring.jmx.enabled", "false"),
          Map.entry("spring.mvc.formcontent.filter.enabled", "false"),
          Map.entry("spring.mvc.servlet.load-on-startup", "1"),
          Map.entry("management.metrics.system.diskspace.paths", "${varve.data:data}"),
          Map.entry(
              "management.metrics.distribution.slo.http.server.requests",
              "5ms,10ms,25ms,50ms,100ms,250ms,500ms,1s,2500ms,10s"),
          Map.entry("management.endpoints.web.base-path", "/_actuator"),
          Map.entry("management.endpoints.web.exposure.include", "health,prometheus"));

  /**
   * Starts the service and returns when it serves requests. Properties are passed as {@code
   * --varve.data=…}.
   */
  public static ConfigurableApplicationContext start(String... arguments) {
    SpringApplication application = new SpringApplication(CoordinatorService.class);
    application.setBannerMode(Banner.Mode.OFF);
    application.setDefaultProperties(DEFAULTS);
    return application.run(arguments);
  }

  /** Runs the service as a separate process. */
  public static void main(String[] arguments) {
    ProcessGuard.install();
    ConfigurableApplicationContext context = start(arguments);
    ProcessGuard.dumpInto(Path.of(context.getEnvironment().getProperty("varve.data", "data")));
  }
}
