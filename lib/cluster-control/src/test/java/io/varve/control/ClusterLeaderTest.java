package io.varve.control;

import static io.varve.control.LeadersOnALog.await;
import static io.varve.control.LeadersOnALog.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.control.command.Decision;
import io.varve.events.FeatureLevels;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leaders with fences of other leaders and injected append failures. */
class ClusterLeaderTest {

  private final LeadersOnALog world = new LeadersOnALog();

  @AfterEach
  void stopAll() throws Exception {
    world.close();
  }

  @Test
  void ofTwoThatTryAtOnceOneLeads() throws Exception {
    LeadersOnALog.Coordinator a = world.new Coordinator("a");
    LeadersOnALog.Coordinator b = world.new Coordinator("b");
    a.leader.start();
    b.leader.start();
    await().until(() -> a.leader.isLeading() || b.leader.isLeading());
    await().until(() -> a.leader.isLeading() != b.leader.isLeading());
    LeadersOnALog.Coordinator leading = a.leader.isLeading() ? a : b;
    LeadersOnALog.Coordinator other = leading == a ? b : a;
    leading.set("k", "v");
    assertThatThrownBy(() -> other.set("k", "w"))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(421));
    await().until(() -> other.view.current().persistentSettings().equals(Map.of("k", "v")));
    assertThat(other.view.current().leaderTerm()).isLessThanOrEqualTo(2);
  }

  @Test
  void decidesOnItsOwnEventsBeforeTheyAreAccepted() throws Exception {
    LeadersOnALog.Coordinator a = world.new Coordinator("a");
    a.leader.start();
    await().until(a.leader::isLeading);
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String name = "k" + i;
      all.add(
          a.leader.submit(state ->
              Decision.of(
                  new ClusterEvent.ClusterSettingsChanged(
                      with(state.persistentSettings(), name, "v"), Map.of()))));
    }
    for (var accepted : all) {
      assertThat(accepted.get(60, TimeUnit.SECONDS)).isPositive();
    }
    await().until(() -> a.view.current().persistentSettings().size() == 100);
  }

  @Test
  void stepsDownAfterAnotherFenceAndLeadsAgainWhenTheOtherLeaderIsSilent() throws Exception {
    LeadersOnALog.Coordinator a = world.new Coordinator("a");
    a.leader.start();
    await().until(a.leader::isLeading);
    a.set("before", "v");
    world.fence(a.view.current().leaderTerm() + 1, "other");
    await().until(() -> !a.leader.isLeading());
    assertThatThrownBy(() -> a.set("meanwhile", "v")).hasCauseInstanceOf(ApiException.class);

    // The timeout of the leader begins when its fence is read.
    await()
        .until(() -> {
          world.pass(1_000);
          return a.leader.isLeading();
        });
    a.set("after", "v");
    await().until(() -> a.view.current().persistentSettings().size() == 2);
    assertThat(a.view.current().leaderTerm()).isEqualTo(3);
  }

  @Test
  void truncatesTheLogAndASuccessorStartsFromTheSnapshot() throws Exception {
    PartitionLog log = world.messages.open(world.topics.clusterLog(), 0);
    LeadersOnALog.Coordinator a = world.new Coordinator("a");
    a.leader.start();
    await().until(a.leader::isLeading);
    a.set(ClusterSettings.SNAPSHOT_RECORDS, "10");
    for (int i = 0; i < 60; i++) {
      a.set("name" + i % 7, "value" + i);
    }
    await().until(() -> log.startOffset() > 0);
    a.leader.close();

    LeadersOnALog.Coordinator b = world.new Coordinator("b");
    await().until(() -> b.view.position().current() == log.endOffset());
    assertThat(b.view.current()).isEqualTo(a.view.current());
    b.leader.start();
    await()
        .until(() -> {
          world.pass(1_000);
          return b.leader.isLeading();
        });
    b.set("after", "v");
    await().until(() -> a.view.current().persistentSettings().containsKey("after"));
    assertThat(a.view.current()).isEqualTo(b.view.current());
    assertThat(log.endOffset() - log.startOffset()).isLessThan(60);
  }

  @Test
  void writesNoSnapshotBelowTheFeatureLevelThatHasThem() throws Exception {
    PartitionLog log = world.messages.open(world.topics.clusterLog(), 0);
    LeadersOnALog.Coordinator a = world.new Coordinator("a", FeatureLevels.FIRST);
    a.leader.start();
    await().until(a.leader::isLeading);
    a.set(ClusterSettings.SNAPSHOT_RECORDS, "10");
    for (int i = 0; i < 30; i++) {
      a.set("name", "value" + i);
    }
    await().until(() -> a.view.position().current() == log.endOffset());
    assertThat(a.view.current().featureLevel()).isEqualTo(1);
    assertThat(log.endOffset()).as("one fence, the beginning and 31 changes").isEqualTo(33);
  }

  @Test
  void announcesThatItLeadsWhileItsThreadMakesProgress() throws Exception {
    LeadersOnALog.Coordinator a = world.new Coordinator("a");
    assertThat(a.leader.leadingTerm()).isZero();
    a.leader.start();
    await().until(a.leader::isLeading);
    assertThat(a.leader.leadingTerm()).isEqualTo(1);
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> held = new CompletableFuture<>();
    CompletableFuture<Long> command =
        a.leader.submit(state -> {
          begun.complete(null);
          held.join();
          return Decision.of();
        });
    begun.get(60, TimeUnit.SECONDS);
    world.nowMillis.addAndGet(20_000);
    assertThat(a.leader.leadingTerm()).as("the thread is held").isZero();
    held.complete(null);
    command.get(60, TimeUnit.SECONDS);
    await().until(() -> a.leader.leadingTerm() == 1);
  }

  @Test
  void backsOffWhenItWinsTheTermButCannotReadTheLog() throws Exception {
    LeadersOnALog.Coordinator a = world.new Coordinator("a");
    a.log.unreadable.set(true);
    a.leader.start();
    await().until(() -> a.view.current().leaderTerm() == 1);
    // The pause is 1 s of the test's clock, then 2 s: without it each tick would start a new term.
    await()
        .during(Duration.ofMillis(3 * ClusterLeader.TICK_MILLIS))
        .until(() -> a.view.current().leaderTerm() == 1);
    // A pause begins when reading the log fails.
    await()
        .until(() -> {
          world.nowMillis.addAndGet(1_000);
          return a.view.current().leaderTerm() > 1;
        });
    a.log.unreadable.set(false);
    await()
        .until(() -> {
          world.nowMillis.addAndGet(1_000);
          return a.leader.isLeading();
        });
  }

  @Test
  void aTermGivenTwiceIsHarmless() throws Exception {
    LeadersOnALog.Coordinator a = world.new Coordinator("a");
    a.leader.start();
    await().until(a.leader::isLeading);
    world.fence(a.view.current().leaderTerm(), "other");
    a.set("k", "v");
    assertThat(a.leader.isLeading()).isTrue();
    await().until(() -> a.view.current().persistentSettings().equals(Map.of("k", "v")));
    assertThat(a.view.current().leaderNodeId()).isEqualTo("a");
  }

  @Test
  void takesANewTermAfterAnAppendWithAnUnknownOutcome() throws Exception {
    LeadersOnALog.Coordinator a = world.new Coordinator("a");
    a.leader.start();
    await().until(a.leader::isLeading);
    a.set("before", "v");
    a.log.losing.set(true);
    assertThatThrownBy(() -> a.set("lost", "v"))
        .cause()
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(503));
    await().until(() -> !a.leader.isLeading());
    a.log.losing.set(false);
    await().until(a.leader::isLeading);
    a.set("after", "v");
    await()
        .until(() ->
            a.view.current().persistentSettings().equals(Map.of("before", "v", "after", "v")));
    assertThat(a.view.current().leaderTerm()).isGreaterThan(1);
  }
}
