package io.varve.client.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.varve.cluster.ClusterState;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NodeGuardsTest {

  private static final String NODE = "n1";
  private static final Duration OPEN = Duration.ofSeconds(1);

  private final AtomicLong nanos = new AtomicLong(-5);
  private final NodeGuards guards = new NodeGuards(nanos::get);

  private void failSearches(int count) {
    for (int i = 0; i < count; i++) {
      guards.enter(NODE, false).failed(new IOException("broken"));
    }
  }

  private void assertRefused() {
    assertThatThrownBy(() -> guards.enter(NODE, false))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("is open");
  }

  @Test
  void theBreakerOpensAtTenSearchesOfWhichHalfFailed() {
    for (int i = 0; i < 5; i++) {
      guards.enter(NODE, false).succeeded();
    }
    failSearches(4);
    assertThat(guards.state(NODE)).isEqualTo("closed");

    failSearches(1);

    assertThat(guards.state(NODE)).isEqualTo("open");
    assertRefused();
    assertThat(guards.open()).isEqualTo(1);
  }

  @Test
  void aNodeThatIsLeftAloneIsAskedByASearchThatHasNoOtherCopy() {
    failSearches(10);

    guards.enter(NODE, true).succeeded();

    assertThat(guards.state(NODE)).isEqualTo("open");
    assertThat(guards.underWay()).isZero();
  }

  @Test
  void afterASecondThreeSearchesFindOutWhetherTheNodeIsWell() {
    failSearches(10);
    nanos.addAndGet(OPEN.toNanos());
    assertRefused();
    nanos.incrementAndGet();

    List<NodeGuards.Pass> trials = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      trials.add(guards.enter(NODE, false));
    }
    assertThat(guards.state(NODE)).isEqualTo("half_open");
    assertRefused();

    trials.forEach(NodeGuards.Pass::succeeded);
    assertThat(guards.state(NODE)).isEqualTo("closed");
    assertThat(guards.underWay()).isZero();
  }

  @Test
  void aNodeThatIsNotWellYetIsLeftAloneForAnotherSecond() {
    failSearches(10);
    nanos.addAndGet(OPEN.toNanos() + 1);

    failSearches(3);

    assertThat(guards.state(NODE)).isEqualTo("open");
    assertRefused();
  }

  @Test
  void whatSaysNothingOfTheNodeOpensNoBreaker() {
    for (int i = 0; i < 30; i++) {
      guards.enter(NODE, false).ended();
    }

    assertThat(guards.state(NODE)).isEqualTo("closed");
    assertThat(guards.underWay()).isZero();
  }

  private List<NodeGuards.Pass> enter(int count) {
    List<NodeGuards.Pass> passes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      passes.add(guards.enter(NODE, false));
    }
    return passes;
  }

  private void late(List<NodeGuards.Pass> passes) {
    passes.forEach(pass -> pass.late(new IOException("no answer in time")));
  }

  @Test
  void aNodeThatNeverAnswersHangs() {
    List<NodeGuards.Pass> passes = enter(10);
    nanos.addAndGet(OPEN.toNanos());

    late(passes);

    assertThat(guards.state(NODE)).isEqualTo("open");
    assertThat(guards.underWay()).isZero();
  }

  @Test
  void aNodeThatAnswersOthersMeanwhileIsSlow() {
    guards.enter(NODE, false).succeeded();
    for (int round = 0; round < 5; round++) {
      List<NodeGuards.Pass> passes = enter(30);
      nanos.addAndGet(OPEN.multipliedBy(2).toNanos());
      guards.answered(NODE);

      late(passes);
    }

    assertThat(guards.state(NODE)).isEqualTo("closed");
    assertThat(guards.underWay()).isZero();
  }

  @Test
  void aRefusalIsAnAnswer() {
    List<NodeGuards.Pass> passes = enter(30);
    nanos.addAndGet(OPEN.toNanos());
    guards.enter(NODE, false).answered();

    late(passes);

    assertThat(guards.state(NODE)).isEqualTo("closed");
  }

  @Test
  void aNodeThatFellSilentIsLeftAloneThoughItAnsweredBefore() {
    guards.enter(NODE, false).succeeded();
    nanos.addAndGet(OPEN.multipliedBy(2).toNanos());
    List<NodeGuards.Pass> passes = enter(10);
    nanos.addAndGet(OPEN.toNanos());

    late(passes);

    assertThat(guards.state(NODE)).isEqualTo("open");
    assertRefused();
  }

  @Test
  void theBreakersOfDepartedNodesAreRemoved() {
    failSearches(10);
    assertThat(guards.breakers().getAllCircuitBreakers())
        .extracting(CircuitBreaker::getName)
        .containsExactly(NODE);

    guards.follow(ClusterState.EMPTY);

    assertThat(guards.breakers().getAllCircuitBreakers()).isEmpty();
    assertThat(guards.state(NODE)).isEqualTo("closed");
  }
}
