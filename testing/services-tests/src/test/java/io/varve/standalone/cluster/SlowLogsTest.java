package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/**
 * Checks that slow searches and slow indexing are logged with the logger and at the level that the
 * settings determine.
 */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class SlowLogsTest {

  private static final String THRESHOLDS =
      """
      {"number_of_replicas": 1, "replication.type": "DOCUMENT", "refresh_interval": "-1",
       "search.slowlog.threshold.query.warn": "1h", "search.slowlog.threshold.query.debug": "0",
       "search.slowlog.threshold.fetch.trace": "0",
       "indexing.slowlog.threshold.index.info": "0", "indexing.slowlog.source": "8"}\
      """;

  private ServicesInOneJvm cluster;
  private final List<ILoggingEvent> logged = new CopyOnWriteArrayList<>();

  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          logged.add(event);
        }
      };

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger("index");
  }

  /** Must run after the services have started, because they configure the loggers. */
  @BeforeEach
  void listen(ServicesInOneJvm started) {
    cluster = started;
    appender.setContext(root().getLoggerContext());
    appender.start();
    root().addAppender(appender);
    root().setLevel(Level.TRACE);
  }

  @AfterEach
  void listenNoMore() {
    root().detachAppender(appender);
    root().setLevel(null);
  }

  private List<String> messages(String logger, Level level) {
    return logged.stream()
        .filter(event -> event.getLoggerName().equals(logger) && event.getLevel().equals(level))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Test
  void whatTakesLongerThanItsThresholdIsLogged() throws Exception {
    TestIndex index = cluster.create("slow", THRESHOLDS);

    index.index(7, 8);
    index.refresh();
    index
        .call(
            "POST",
            "/_search?preference=_primary",
            "{\"query\": {\"term\": {\"n\": 7}},\n \"stats\": [\"mine\"]}")
        .orThrow();

    assertThat(messages("index.search.slowlog.query", Level.DEBUG))
        .singleElement()
        .asString()
        .matches(
            "\\[slow]\\[0] took\\[.*], took_millis\\[\\d+], total_hits\\[1 hits],"
                + " stats\\[mine], parameters\\{.*},"
                + " source\\[\\{\"query\":\\{\"term\":\\{\"n\":7}},\"stats\":\\[\"mine\"]}]");
    assertThat(messages("index.search.slowlog.fetch", Level.TRACE)).hasSize(1);
    // The primary and the replica each index the document.
    assertThat(messages("index.indexing.slowlog.index", Level.INFO))
        .hasSize(2)
        .allMatch(message ->
            message.startsWith("[slow/")
                && message.endsWith("id[d7], routing[], source[{\"n\":7}]"));
  }

  @Test
  void theDistributionLogsThemAtEachLevel() throws Exception {
    LoggerContext distribution = new LoggerContext();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(distribution);
    configurator.doConfigure(
        Objects.requireNonNull(SlowLogsTest.class.getResource("/logback.xml")));
    try {
      for (String name :
          List.of(
              "index.search.slowlog.query",
              "index.search.slowlog.fetch",
              "index.indexing.slowlog.index")) {
        assertThat(distribution.getLogger(name).isTraceEnabled()).as(name).isTrue();
      }
    } finally {
      distribution.stop();
    }
  }

  @Test
  void changedSettingsHoldAtOnce() throws Exception {
    TestIndex index = cluster.create("slow", "{\"number_of_replicas\": 0}");
    index.index(0, 1);
    index.refresh();
    index.call("POST", "/_search", "{}").orThrow();
    assertThat(logged).isEmpty();

    index
        .call(
            "PUT",
            "/_settings",
            """
            {"search.slowlog.threshold.query.warn": "0", "search.slowlog.threshold.fetch.info": "0",
             "search.slowlog.level": "WARN"}\
            """)
        .orThrow();
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> {
          index.call("POST", "/_search", "{}").orThrow();
          assertThat(messages("index.search.slowlog.query", Level.WARN)).isNotEmpty();
        });

    assertThat(logged).allMatch(event -> event.getLevel().equals(Level.WARN));
  }
}
