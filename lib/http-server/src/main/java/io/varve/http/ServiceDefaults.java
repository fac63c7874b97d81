package io.varve.http;

import io.varve.http.security.SecurityDefault;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;

/**
 * Default properties of every service with an HTTP server.
 *
 * <p>Three features of Spring Boot are off because every request would pay for them: the filter
 * that observes requests ({@link RequestTimes} takes its place), the counter of log events, which
 * adds a filter to every check of a log level, and the filter that sets charsets, which the dialect
 * reads from the content type itself.
 */
public final class ServiceDefaults {

  private static final Map<String, Object> COMMON =
      Map.ofEntries(
          Map.entry("server.address", "${varve.host:127.0.0.1}"),
          Map.entry("server.shutdown", "immediate"),
          Map.entry("spring.threads.virtual.enabled", "true"),
          Map.entry("spring.jmx.enabled", "false"),
          Map.entry("spring.mvc.formcontent.filter.enabled", "false"),
          Map.entry("spring.mvc.servlet.load-on-startup", "1"),
          Map.entry("spring.servlet.encoding.enabled", "false"),
          Map.entry(
              "spring.autoconfigure.exclude",
              "org.springframework.boot.webmvc.autoconfigure.WebMvcObservationAutoConfiguration,"
                  + "org.springframework.boot.micrometer.metrics.autoconfigure.logging.logback"
                  + ".LogbackMetricsAutoConfiguration"),
          Map.entry("management.metrics.system.diskspace.paths", "${varve.data:data}"),
          Map.entry("management.endpoints.web.base-path", "/_actuator"),
          Map.entry("management.endpoints.web.exposure.include", "health,prometheus"));

  private ServiceDefaults() {}

  /** An application with the common defaults and those of one service, which take precedence. */
  public static SpringApplication application(Class<?> service, Map<String, Object> ofService) {
    Map<String, Object> all = new HashMap<>(COMMON);
    all.putAll(ofService);
    SpringApplication application = new SpringApplication(service);
    application.setBannerMode(Banner.Mode.OFF);
    application.setDefaultProperties(all);
    application.addInitializers(new SecurityDefault());
    application.addListeners(new LogFormat());
    return application;
  }
}
