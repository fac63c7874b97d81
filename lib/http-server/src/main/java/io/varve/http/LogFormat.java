package io.varve.http;

import java.util.Map;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Selects the format of a service's log by the property {@value #PROPERTY}: {@code text}, or {@code
 * json} for one JSON object per line in the Elastic Common Schema. The property {@code
 * logging.config} takes precedence.
 */
final class LogFormat implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

  static final String PROPERTY = "varve.log.format";

  /** Part of the distribution, as is the configuration for text. */
  static final String JSON_CONFIGURATION = "classpath:logback-json.xml";

  private static final String NODE_NAME = "logging.structured.ecs.service.node-name";

  /** At this event, the properties are known and the log is not configured yet. */
  @Override
  public int getOrder() {
    return LoggingApplicationListener.DEFAULT_ORDER - 1;
  }

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    ConfigurableEnvironment environment = event.getEnvironment();
    String format = environment.getProperty(PROPERTY, "text");
    switch (format) {
      case "text" -> {}
      case "json" ->
          environment
              .getPropertySources()
              .addLast(
                  new MapPropertySource(
                      PROPERTY,
                      Map.of(
                          "logging.config",
                          JSON_CONFIGURATION,
                          "logging.structured.ecs.service.name",
                          "varve",
                          NODE_NAME,
                          environment.getProperty("varve.node-name", ""))));
      default ->
          throw new IllegalArgumentException(
              PROPERTY + " must be text or json, was [" + format + "]");
    }
  }
}
