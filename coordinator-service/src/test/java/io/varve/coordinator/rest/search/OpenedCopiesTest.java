package io.varve.coordinator.rest.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica is being built, and reports whether it already answers. */
class OpenedCopiesTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void makeIndex() {
    rest.cluster.searchedInTurn();
    rest.cluster.index("books", 1);
    rest.cluster.all("books", false, CopyRouting.State.INITIALIZING);
    say(CopyProgress.OPENED);
  }

  @AfterEach
  void end() {
    rest.close();
  }

  private void say(String state) {
    rest.cluster.progress(
        new CopyProgress(
            "books0r",
            new ShardId("books-uuid", 0),
            FakeCluster.REPLICA_NODE,
            false,
            state,
            0,
            -1,
            0,
            -1,
            9,
            1_000_000,
            1,
            1_000,
            -1,
            0,
            0,
            0));
  }

  private int search(String preference) {
    rest.shards.calls().clear();
    return rest.call("GET /books/_search" + preference).getStatus();
  }

  private List<String> searched() {
    return rest.shards.calls().stream().filter(call -> call.startsWith("search")).toList();
  }

  @Test
  void startedCopiesAreAskedFirst() {
    for (int i = 0; i < 3; i++) {
      assertThat(search("")).isEqualTo(200);
      assertThat(searched()).containsExactly("search books0p");
    }
  }

  @Test
  void itAnswersWhereNoStartedCopyMayOrCan() {
    assertThat(search("?preference=_replica")).isEqualTo(200);
    assertThat(searched()).containsExactly("search books0r");

    rest.shards.fail("books0p", new ApiException(503, "x_exception", "down"));
    assertThat(search("")).isEqualTo(200);
    assertThat(searched()).endsWith("search books0r");
  }

  @Test
  void aCopyThatOnlyCopiesIsNotAsked() {
    say("COPYING");
    assertThat(search("?preference=_replica")).isEqualTo(503);
    assertThat(searched()).isEmpty();
  }
}
