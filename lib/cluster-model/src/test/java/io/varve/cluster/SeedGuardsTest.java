package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeedGuardsTest {

  private static final List<String> SEEDS = List.of("a:1", "b:2");

  private Instant now = Instant.EPOCH;
  private final SeedGuards guards = new SeedGuards(new ManualClock());

  private final class ManualClock extends Clock {

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private void fail(String seed) {
    assertThatThrownBy(() ->
            guards.call(
                seed,
                _ -> {
                  throw new IOException("no answer");
                }))
        .hasMessage("no answer");
  }

  @Test
  void aSeedThatDoesNotAnswerIsAskedLast() {
    fail("a:1");
    assertThat(guards.inOrder(SEEDS)).containsExactly("a:1", "b:2");

    fail("a:1");

    assertThat(guards.inOrder(SEEDS)).containsExactly("b:2", "a:1");
  }

  @Test
  void itHasItsPlaceAgainForATrialAfterTenSeconds() throws Exception {
    fail("a:1");
    fail("a:1");
    now = now.plusSeconds(11);

    assertThat(guards.inOrder(SEEDS)).containsExactly("a:1", "b:2");
    assertThat(guards.<String>call("a:1", seed -> seed)).isEqualTo("a:1");

    assertThat(guards.breakers().circuitBreaker("a:1").getState())
        .isEqualTo(CircuitBreaker.State.CLOSED);
  }

  @Test
  void aSeedWhoseTrialFailsIsLeftAloneAgain() {
    fail("a:1");
    fail("a:1");
    now = now.plusSeconds(11);
    assertThat(guards.inOrder(SEEDS)).containsExactly("a:1", "b:2");

    fail("a:1");

    assertThat(guards.inOrder(SEEDS)).containsExactly("b:2", "a:1");
  }

  @Test
  void aSeedThatIsLeftAloneStillAnswersWhenItIsAsked() throws Exception {
    fail("a:1");
    fail("a:1");

    assertThat(guards.<String>call("a:1", seed -> seed)).isEqualTo("a:1");
  }

  @Test
  void seedsThatTheSettingsNoLongerNameAreForgotten() {
    fail("a:1");
    fail("a:1");
    fail("b:2");

    guards.follow(
        ClusterState.EMPTY.apply(
            new ClusterEvent.ClusterSettingsChanged(
                Map.of("cluster.remote.eu.seeds", "a:1, c:3"), Map.of())));

    assertThat(guards.breakers().getAllCircuitBreakers())
        .extracting(CircuitBreaker::getName)
        .containsExactly("a:1");
    assertThat(guards.inOrder(SEEDS)).containsExactly("b:2", "a:1");

    guards.follow(ClusterState.EMPTY);

    assertThat(guards.breakers().getAllCircuitBreakers()).isEmpty();
  }

  @Test
  void aRefusalIsAnAnswer() {
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() ->
              guards.call(
                  "a:1",
                  _ -> {
                    throw new RemoteCluster.MissingIndexException("books");
                  }))
          .isInstanceOf(RemoteCluster.MissingIndexException.class);
    }

    assertThat(guards.inOrder(SEEDS)).containsExactly("a:1", "b:2");
  }
}
