package io.varve.http;

import io.varve.http.security.SecurityDefault;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;

/** Default properties of every service with an HTTP server. */
public final class ServiceDefaults {

  private static final Map<String, Object> COMMON =
      Map.ofEntries(
          Map.entry("server.address", "${varve.host:127.0.0.1}"),
          Map.entry("server.shutdown", "immediate"),
          Map.entry("spring.threads.virtual.enabled", "true"),
          Map.entry("spring.jmx.enabled", "false"),
          Map.entry("spring.mvc.formcontent.filter.enabled", "false"),
          Map.entry("spring.mvc.servlet.load-on-startup", "1"),
          Map.entry("management.metrics.system.diskspace.paths", "${varve.data:data}"),
          Map.entry("management.endpoints.web.base-path", "/_actuator"),
          Map.entry("management.endpoints.web.exposure.include", "health,prometheus"));

  private ServiceDefaults() {}

  /** An application with the common defaults and those of one service, which take precedence. */
  public static SpringApplication application(Class<?> service, Map<String, Object> ofService) {
    Map<String, Object> all = new HashMap<>(COMMON);
    all.putAll(ofService);
    SpringApplication application = new SpringApplication(service);
    // In a JVM with several services, Spring would search the manifests of all jars for it.
    application.setMainApplicationClass(service);
    application.setBannerMode(Banner.Mode.OFF);
    application.setDefaultProperties(all);
    application.addInitializers(new SecurityDefault());
    application.addListeners(new LogFormat());
    return application;
  }
}
