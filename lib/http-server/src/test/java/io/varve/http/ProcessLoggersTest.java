package io.varve.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ProcessLoggersTest {

  private final Consumer<ClusterState> node = ProcessLoggers.levels().listener();

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }

  private static ClusterState with(String setting, String level) {
    return ClusterState.EMPTY.apply(
        new ClusterEvent.ClusterSettingsChanged(Map.of(setting, level), Map.of()));
  }

  @AfterEach
  void removeSettings() {
    node.accept(ClusterState.EMPTY);
  }

  @Test
  void aLoggerHasTheLevelOfItsSettingAndThenInheritsAgain() {
    Logger logger = logger("io.varve.http.inheriting");

    node.accept(with("logger.io.varve.http.inheriting", "trace"));
    assertThat(logger.getLevel()).isEqualTo(Level.TRACE);
    assertThat(logger.isTraceEnabled()).isTrue();

    node.accept(ClusterState.EMPTY);
    assertThat(logger.getLevel()).isNull();
  }

  @Test
  void aLoggerGetsBackTheLevelThatWasConfigured() {
    Logger logger = logger("io.varve.http.configured");
    logger.setLevel(Level.ERROR);

    node.accept(with("logger.io.varve.http.configured", "OFF"));
    assertThat(logger.isErrorEnabled()).isFalse();

    node.accept(ClusterState.EMPTY);
    assertThat(logger.getLevel()).isEqualTo(Level.ERROR);
  }

  @Test
  void theRootLoggerCanBeSet() {
    Logger root = logger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Level configured = root.getLevel();

    node.accept(with("logger._root", "WARN"));
    assertThat(root.getLevel()).isEqualTo(Level.WARN);

    node.accept(ClusterState.EMPTY);
    assertThat(root.getLevel()).isEqualTo(configured);
  }
}
