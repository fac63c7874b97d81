package io.varve.host.spring;

import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Default properties of every service with a node. */
public final class NodeDefaults {

  private static final Map<String, Object> DEFAULTS =
      Map.ofEntries(
          Map.entry("server.port", "0"),
          Map.entry("server.address", "${varve.host:127.0.0.1}"),
          Map.entry("server.shutdown", "immediate"),
          Map.entry("spring.threads.virtual.enabled", "true"),
          Map.entry("spring.jmx.enabled", "false"),
          Map.entry("spring.mvc.formcontent.filter.enabled", "false"),
          Map.entry("spring.mvc.servlet.load-on-startup", "1"),
          Map.entry("management.metrics.system.diskspace.paths", "${varve.data:data}"),
          Map.entry("management.endpoints.web.base-path", "/_actuator"),
          Map.entry("management.endpoints.web.exposure.include", "health,prometheus"));

  private NodeDefaults() {}

  public static ConfigurableApplicationContext start(Class<?> service, String... arguments) {
    SpringApplication application = new SpringApplication(service);
    application.setBannerMode(Banner.Mode.OFF);
    application.setDefaultProperties(DEFAULTS);
    return application.run(arguments);
  }
}
