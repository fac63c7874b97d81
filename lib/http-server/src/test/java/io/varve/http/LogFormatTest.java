package io.varve.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class LogFormatTest {

  private static ConfigurableEnvironment prepared(Map<String, Object> properties) {
    ConfigurableEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("given", properties));
    new LogFormat()
        .onApplicationEvent(
            new ApplicationEnvironmentPreparedEvent(
                new DefaultBootstrapContext(),
                new SpringApplication(),
                new String[0],
                environment));
    return environment;
  }

  @Test
  void textIsTheDefaultAndNeedsNoConfiguration() {
    assertThat(prepared(Map.of()).getProperty("logging.config")).isNull();
    assertThat(prepared(Map.of("varve.log.format", "text")).getProperty("logging.config")).isNull();
  }

  @Test
  void jsonSelectsItsConfigurationAndNamesTheNode() {
    ConfigurableEnvironment environment =
        prepared(Map.of("varve.log.format", "json", "varve.node-name", "shard-service-1"));

    assertThat(environment.getProperty("logging.config")).isEqualTo(LogFormat.JSON_CONFIGURATION);
    assertThat(environment.getProperty("logging.structured.ecs.service.node-name"))
        .isEqualTo("shard-service-1");
  }

  @Test
  void aConfigurationThatIsNamedTakesPrecedence() {
    assertThat(
            prepared(Map.of("varve.log.format", "json", "logging.config", "file:/own.xml"))
                .getProperty("logging.config"))
        .isEqualTo("file:/own.xml");
  }

  @Test
  void anotherFormatIsRefused() {
    assertThatThrownBy(() -> prepared(Map.of("varve.log.format", "xml")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("varve.log.format must be text or json, was [xml]");
  }

  @Test
  void theFormatIsKnownBeforeTheLogIsConfigured() {
    assertThat(new LogFormat().getOrder()).isLessThan(LoggingApplicationListener.DEFAULT_ORDER);
  }
}
