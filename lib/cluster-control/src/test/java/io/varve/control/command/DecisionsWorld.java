package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.rpc.ErrorBody;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Decides commands on a cluster state and applies the events. */
abstract class DecisionsWorld {
  final AtomicInteger ids = new AtomicInteger();
  final Decisions decisions =
      new Decisions(
          new IndexCreation(new NewIndex(this::nextId, () -> 1234)),
          this::nextId,
          Map::of,
          new LeaseDecisions(() -> 1234));
  ClusterState state = ClusterState.EMPTY;

  String nextId() {
    return "id-" + ids.incrementAndGet();
  }

  static Map<String, @Nullable String> settings(String name, @Nullable String value) {
    Map<String, @Nullable String> settings = new HashMap<>();
    settings.put(name, value);
    return settings;
  }

  List<ClusterEvent> accept(ClusterCommand command, String uuid) {
    Decision decision = decisions.decide(state, command, uuid);
    assertThat(decision).isInstanceOf(Decision.Events.class);
    List<ClusterEvent> events = ((Decision.Events) decision).events();
    events.forEach(event -> state = state.apply(event));
    return events;
  }

  List<ClusterEvent> accept(ClusterCommand command) {
    return accept(command, "");
  }

  ErrorBody refuse(ClusterCommand command) {
    Decision decision = decisions.decide(state, command, "uuid-x");
    assertThat(decision).isInstanceOf(Decision.Refused.class);
    return ((Decision.Refused) decision).error();
  }

  void createBooks() {
    accept(
        ClusterCommand.CreateIndex.of("books", settings("number_of_replicas", "1"), "{}"),
        "uuid-books");
  }

  static ClusterCommand change(String name, @Nullable String value, boolean preserve) {
    return new ClusterCommand.UpdateIndexSettings(
        List.of("books"), settings(name, value), preserve);
  }
}
