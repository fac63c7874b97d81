package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.LoggerLevels.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoggerLevelsTest {

  private final Map<String, @Nullable Level> loggers =
      new HashMap<>(Map.of("", Level.WARN, "io.varve", Level.INFO));

  private final LoggerLevels levels =
      new LoggerLevels(
          new LoggerLevels.Loggers() {
            @Override
            public @Nullable Level level(String name) {
              return loggers.get(name);
            }

            @Override
            public void setLevel(String name, @Nullable Level level) {
              loggers.put(name, level);
            }
          });

  private final Consumer<ClusterState> node = levels.listener();

  private static ClusterState with(Map<String, String> lasting, Map<String, String> passing) {
    return ClusterState.EMPTY.apply(new ClusterEvent.ClusterSettingsChanged(lasting, passing));
  }

  private static ClusterState with(String name, String value) {
    return with(Map.of(name, value), Map.of());
  }

  @Test
  void setsTheLevelOfALoggerAndRestoresWhatTheProcessConfigured() {
    node.accept(with("logger.io.varve", "debug"));
    assertThat(loggers).containsEntry("io.varve", Level.DEBUG);

    node.accept(with("logger.io.varve", "TRACE"));
    assertThat(loggers).containsEntry("io.varve", Level.TRACE);

    node.accept(ClusterState.EMPTY);
    assertThat(loggers).containsEntry("io.varve", Level.INFO).containsEntry("", Level.WARN);
  }

  @Test
  void aLoggerThatInheritedItsLevelInheritsItAgain() {
    node.accept(with("logger.io.varve.log", "ALL"));
    assertThat(loggers).containsEntry("io.varve.log", Level.ALL);

    node.accept(ClusterState.EMPTY);
    assertThat(loggers).containsEntry("io.varve.log", null);
  }

  @Test
  void theRootLoggerIsNamedRoot() {
    node.accept(with("logger._root", "ERROR"));
    assertThat(loggers).containsEntry("", Level.ERROR);

    node.accept(ClusterState.EMPTY);
    assertThat(loggers).containsEntry("", Level.WARN);
  }

  @Test
  void aTransientSettingOverridesAPersistentOne() {
    Map<String, String> lasting = Map.of("logger.io.varve", "WARN");

    node.accept(with(lasting, Map.of("logger.io.varve", "DEBUG")));
    assertThat(loggers).containsEntry("io.varve", Level.DEBUG);

    node.accept(with(lasting, Map.of()));
    assertThat(loggers).containsEntry("io.varve", Level.WARN);
  }

  @Test
  void nodesOfOneProcessRestoreTheSameLevel() {
    Consumer<ClusterState> other = levels.listener();
    ClusterState debug = with("logger.io.varve", "DEBUG");

    node.accept(debug);
    other.accept(debug);
    node.accept(ClusterState.EMPTY);
    other.accept(ClusterState.EMPTY);

    assertThat(loggers).containsEntry("io.varve", Level.INFO);
  }

  @Test
  void aStoredTextThatIsNoLevelChangesNothing() {
    node.accept(with("logger.io.varve", "loud"));
    assertThat(loggers).containsEntry("io.varve", Level.INFO);
  }
}
