package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleDecisionsTest {

  private final Decisions decisions =
      new Decisions(
          new IndexCreation(new NewIndex(() -> "id", () -> 0)),
          () -> "id",
          Map::of,
          new LeaseDecisions(() -> 0));
  private ClusterState state = ClusterState.EMPTY;

  private void create(int searchReplicas, boolean stored, String replication) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("index.number_of_search_replicas", Integer.toString(searchReplicas));
    settings.put("index.remote_store.enabled", Boolean.toString(stored));
    settings.put("index.replication.type", replication);
    settings.put("index.number_of_replicas", "0");
    ShardRouting shard =
        new ShardRouting(
            new ShardId("u", 0),
            3,
            List.of(
                new CopyRouting("p", true, CopyRouting.State.STARTED, "n1", ""),
                CopyRouting.unassignedForSearch("s", "")));
    state =
        state.apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata("books", "u", 0, settings, 1, "{}", 1, null, List.of(shard))));
  }

  private void accept(ClusterCommand command) {
    Decision decision = decisions.decide(state, command, "");
    assertThat(decision).isInstanceOf(Decision.Events.class);
    ((Decision.Events) decision).events().forEach(event -> state = state.apply(event));
  }

  private ErrorBody refuse(ClusterCommand command) {
    Decision decision = decisions.decide(state, command, "");
    assertThat(decision).isInstanceOf(Decision.Refused.class);
    return ((Decision.Refused) decision).error();
  }

  private IndexMetadata books() {
    return state.indices().get("books");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 | true  | SEGMENT  | Cannot scale to zero without search replicas for index: books
          1 | false | SEGMENT  | To scale to zero, index.remote_store.enabled must be enabled for index: books
          1 | true  | DOCUMENT | To scale to zero, segment replication must be enabled for index: books
          """)
  void anIndexWithoutSearchCopiesCannotBecomeSearchOnly(
      int searchReplicas, boolean stored, String replication, String reason) {
    create(searchReplicas, stored, replication);
    ErrorBody refused = refuse(new ClusterCommand.BlockWriters("books"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.type()).isEqualTo("illegal_argument_exception");
    assertThat(refused.reason()).isEqualTo(reason);
  }

  @Test
  void downAndUpAgain() {
    create(1, true, "SEGMENT");
    accept(new ClusterCommand.BlockWriters("books"));
    assertThat(books().settings()).containsEntry(IndexBlocks.SEARCH_ONLY, "true");
    assertThat(books().released()).isFalse();

    accept(new ClusterCommand.ReleaseWriters("u", books().settingsVersion()));
    assertThat(books().released()).isTrue();
    assertThat(refuse(new ClusterCommand.BlockWriters("books")).reason())
        .isEqualTo("Index [books] is already in search-only mode");

    accept(new ClusterCommand.RecallWriters("books", 0));
    assertThat(books().searchOnly()).isFalse();
    assertThat(refuse(new ClusterCommand.RecallWriters("books", 0)).reason())
        .isEqualTo("Index [books] is not in search-only mode");
  }

  @Test
  void anUnfinishedFirstStepCanBeRepeatedOrUndone() {
    create(1, true, "SEGMENT");
    accept(new ClusterCommand.BlockWriters("books"));
    long version = books().settingsVersion();
    accept(new ClusterCommand.BlockWriters("books"));
    assertThat(books().settingsVersion()).isEqualTo(version);

    accept(new ClusterCommand.RecallWriters("u", version));
    assertThat(books().searchOnly()).isFalse();
  }

  @Test
  void writersAreKeptIfTheIndexWasChangedAfterSealing() {
    create(1, true, "SEGMENT");
    accept(new ClusterCommand.BlockWriters("books"));
    long version = books().settingsVersion();
    accept(new ClusterCommand.RecallWriters("books", 0));
    accept(new ClusterCommand.BlockWriters("books"));

    ErrorBody refused = refuse(new ClusterCommand.ReleaseWriters("u", version));

    assertThat(refused.status()).isEqualTo(409);
    assertThat(books().released()).isFalse();
  }

  @Test
  void undoingTheFirstStepDoesNotRecallWritersThatAnotherRequestReleased() {
    create(1, true, "SEGMENT");
    accept(new ClusterCommand.BlockWriters("books"));
    long version = books().settingsVersion();
    accept(new ClusterCommand.ReleaseWriters("u", version));

    accept(new ClusterCommand.RecallWriters("u", version));

    assertThat(books().released()).isTrue();
    assertThat(books().searchOnly()).isTrue();
  }

  @Test
  void anUnknownIndexIsNotFound() {
    assertThat(refuse(new ClusterCommand.BlockWriters("x")).status()).isEqualTo(404);
    assertThat(refuse(new ClusterCommand.RecallWriters("x", 0)).status()).isEqualTo(404);
  }
}
