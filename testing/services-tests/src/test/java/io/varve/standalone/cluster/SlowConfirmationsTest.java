package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.varve.shard.replicated.Rereplications;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** The copy of a strongly consistent index is slow to confirm a record, and operators see it. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class SlowConfirmationsTest {

  private ServicesInOneJvm cluster;
  private final List<String> logged = new CopyOnWriteArrayList<>();

  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          logged.add(event.getFormattedMessage());
        }
      };

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(Rereplications.class);
  }

  /** Must run after the services have started, because they configure the loggers. */
  @BeforeEach
  void listen(ServicesInOneJvm started) {
    cluster = started;
    appender.setContext(logger().getLoggerContext());
    appender.start();
    logger().setLevel(Level.INFO);
    logger().addAppender(appender);
  }

  @AfterEach
  void giveBack() {
    cluster.gate().openForAll();
    logger().detachAppender(appender);
    logger().setLevel(null);
  }

  private JsonNode histogram(TestIndex index) throws IOException {
    List<JsonNode> shown =
        cluster
            .rest()
            .get("/_nodes/stats/rereplication")
            .orThrow()
            .json()
            .findValues(index.name() + "-re-repl");
    assertThat(shown).hasSize(1);
    return shown.getFirst();
  }

  private static int status(TestIndex index, String path) throws IOException {
    return index.call("GET", path, "").status();
  }

  @Test
  void aSlowCopyIsShownByTheHistogramItsPercentagesAndTheLogLine() throws Exception {
    TestIndex index =
        cluster.create(
            "slow-copy",
            """
            {"number_of_replicas":1,"refresh_interval":"100ms","remote_store.enabled":false,
             "replication.type":"SEGMENT","replication.consistency":"strong"}\
            """);
    index.index(1, 2);
    Await.within(TestIndex.SOON).until(() -> status(index, "/_doc/d1") == 200);
    cluster.gate().close(index);
    index.index(2, 3);
    assertThat(status(index, "/_doc/d2?consistency_timeout=1s"))
        .as("the question has been open for a second")
        .isIn(503, 504);
    cluster.gate().open(index);
    Await.within(TestIndex.SOON).until(() -> status(index, "/_doc/d2") == 200);

    Await.within(TestIndex.SOON)
        .until(() ->
            histogram(index).path(">64ms").asDouble() > 0
                && histogram(index).path("buckets").size() > 0);
    Await.within(TestIndex.SOON)
        .until(() ->
            logged.stream()
                .anyMatch(line -> line.startsWith("{slow-copy} re-repl: all-triggers (")));
  }
}
