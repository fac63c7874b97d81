package io.varve.http.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.cluster.Topics;
import io.varve.events.Json;
import io.varve.http.security.PeerRefusals;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionRecords;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The audit log of a process that may not create the topic, such as a data node. */
@Timeout(300)
class AuditLogTest {

  private static final long NOW_MILLIS = 1_700_000_000_000L;
  private static final int CAPACITY = 3;

  private final Topics topics = new Topics("books", 1);
  private final MessageLog log = new InMemoryMessageLog(Runnable::run, () -> NOW_MILLIS);
  private final AtomicInteger tries = new AtomicInteger();
  private volatile boolean exists;

  private final AuditLog audit =
      new AuditLog(
          () -> {
            tries.incrementAndGet();
            if (!exists) {
              throw new LogException.Unavailable("no such topic");
            }
            return log.open(topics.audit(), 0);
          },
          CAPACITY);
  private final AuditedPeers peers =
      new AuditedPeers(audit, "shard-1", InstantSource.fixed(Instant.ofEpochMilli(NOW_MILLIS)));

  private void refuse(String path) {
    peers.refused(
        new PeerRefusals.Refusal(
            PeerRefusals.Cause.FORBIDDEN,
            "192.0.2.1",
            "POST",
            path,
            403,
            "the certificate was revoked"));
  }

  private List<JsonNode> written() throws LogException {
    return PartitionRecords.of(log.open(topics.audit(), 0)).stream()
        .map(stored -> Json.mapper().readTree(stored.record().value()))
        .toList();
  }

  @Test
  void refusalsWaitForTheTopicAndOthersAreDroppedAndCounted() throws Exception {
    audit.start();
    for (int i = 0; i < CAPACITY + 2; i++) {
      refuse("/_internal/" + i);
    }
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> tries.get() > 1);
    assertThat(audit.waiting()).isEqualTo(CAPACITY);
    assertThat(audit.dropped()).isEqualTo(2);
    assertThat(audit.written()).isZero();

    log.createTopic(topics.auditSpec());
    exists = true;
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> audit.written() == CAPACITY);
    audit.close();
    assertThat(audit.waiting()).isZero();
    assertThat(written())
        .extracting(record -> record.path("path").asString())
        .containsExactly("/_internal/0", "/_internal/1", "/_internal/2");
  }

  @Test
  void refusalsAreCountedByTheirCauseAlsoIfTheyAreNotRecorded() {
    MeterRegistry meters = new SimpleMeterRegistry();
    AuditMeters.register(peers, meters);
    for (int i = 0; i < AuditedPeers.PER_SECOND * 2; i++) {
      refuse("/_internal/" + i);
    }
    peers.refused(PeerRefusals.Refusal.ofConnection("192.0.2.1", "no certificate"));
    for (Map.Entry<String, Integer> count :
        Map.of("forbidden", AuditedPeers.PER_SECOND * 2, "unidentified", 1, "stale_primary_term", 0)
            .entrySet()) {
      assertThat(
              meters
                  .get("varve.peers.refused")
                  .tag("cause", count.getKey())
                  .functionCounter()
                  .count())
          .as(count.getKey())
          .isEqualTo(count.getValue().doubleValue());
    }
  }

  @Test
  void aRefusalNamesTheProcessTheCallerAndTheReasonButNoUser() throws Exception {
    log.createTopic(topics.auditSpec());
    exists = true;
    refuse("/_internal/shards/i/0/bulk");
    audit.start();
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> audit.written() == 1);
    audit.close();
    JsonNode event = written().getFirst();
    assertThat(event.path("id").asString()).isNotEmpty();
    ((ObjectNode) event).remove("id");
    assertThat(event)
        .isEqualTo(
            Json.mapper()
                .readTree(
                    """
                    {"timestamp":1700000000000,"node":"shard-1","kind":"refused","user":"",
                     "remote_address":"192.0.2.1","method":"POST",
                     "path":"/_internal/shards/i/0/bulk","action":"","status":403,
                     "reason":"the certificate was revoked"}
                    """));
  }
}
