package io.varve.standalone.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import io.varve.events.Json;
import java.net.URL;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The configuration for JSON logs, in a process without Spring. */
class JsonLogTest {

  private static LoggerContext configured(String file) throws Exception {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    URL url = Objects.requireNonNull(JsonLogTest.class.getResource("/" + file));
    configurator.doConfigure(url);
    return context;
  }

  private static JsonNode written(LoggerContext context, String message, Throwable failure) {
    Appender<?> console = context.getLogger("ROOT").getAppender("console");
    JsonLogEncoder encoder = (JsonLogEncoder) ((ConsoleAppender<?>) console).getEncoder();
    LoggingEvent event =
        new LoggingEvent(
            "caller", context.getLogger("io.varve.Shard"), Level.WARN, message, failure, null);
    String line = new String(encoder.encode(event), UTF_8);
    assertThat(line).endsWith("\n");
    assertThat(line.strip()).doesNotContain("\n");
    return Json.mapper().readTree(line);
  }

  @Test
  void anEventIsOneLineOfTheElasticCommonSchema() throws Exception {
    JsonNode line =
        written(
            configured("logback-json.xml"),
            "two\nlines, \"quoted\"",
            new IllegalStateException("why"));

    assertThat(line.path("message").asString()).isEqualTo("two\nlines, \"quoted\"");
    assertThat(line.at("/log/level").asString()).isEqualTo("WARN");
    assertThat(line.at("/log/logger").asString()).isEqualTo("io.varve.Shard");
    assertThat(line.at("/error/message").asString()).isEqualTo("why");
    assertThat(line.at("/error/stack_trace").asString()).contains("JsonLogTest");
    assertThat(line.path("@timestamp").asString()).isNotEmpty();
  }

  @Test
  void bothFormsHaveTheSameLevels() throws Exception {
    assertThat(levels(configured("logback-json.xml"))).isEqualTo(levels(configured("logback.xml")));
  }

  private static Map<String, Level> levels(LoggerContext context) {
    Map<String, Level> levels = new TreeMap<>();
    context.getLoggerList().stream()
        .filter(logger -> logger.getLevel() != null)
        .forEach(logger -> levels.put(logger.getName(), logger.getLevel()));
    assertThat(levels).hasSizeGreaterThan(3);
    return levels;
  }
}
