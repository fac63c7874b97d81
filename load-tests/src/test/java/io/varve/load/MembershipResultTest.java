package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.load.MembershipResult.Round;
import io.varve.load.MembershipResult.Terms;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MembershipResultTest {

  private static final long SECOND = 1_000_000_000;

  private final MembershipResult result = new MembershipResult();

  /** Three acked documents, one refused, and two without an answer. */
  private static BulkOutcomes outcomes() {
    BulkOutcomes outcomes = new BulkOutcomes(LoadClock.SYSTEM);
    outcomes.answered(List.of("a", "b", "c"), answer(200, "{\"errors\":false}"));
    outcomes.answered(List.of("d"), answer(429, "{}"));
    outcomes.unanswered(List.of("e", "f"));
    return outcomes;
  }

  private static HttpConnection.Answer answer(int status, String text) {
    return new HttpConnection.Answer(status, text.getBytes(UTF_8));
  }

  private Map<Object, Object> table() {
    return result.rows(new DetectionCounts(1, 2, 3, 4)).stream()
        .collect(Collectors.toMap(row -> row.get(0), row -> row.get(1)));
  }

  @Test
  void anUnackedDocumentThatExistsDoesNotHideAMissingOne() {
    assertThat(new Round(outcomes(), 3, 0).missing()).isZero();
    assertThat(new Round(outcomes(), 5, 2).missing()).isZero();
    assertThat(new Round(outcomes(), 3, 1).missing()).isEqualTo(1);
    assertThatIllegalArgumentException().isThrownBy(() -> new Round(outcomes(), 1, 2));
  }

  @Test
  void indicesAreAdded() {
    result.ended(new Round(outcomes(), 2, 0), 20 * SECOND, 30);
    result.ended(new Round(outcomes(), 4, 1), 40 * SECOND, 60);

    assertThat(result.missing()).isEqualTo(1);
    assertThat(table())
        .containsEntry("minutes of load", 1.0)
        .containsEntry("documents acked", 6L)
        .containsEntry("documents acked per second", 0.1)
        .containsEntry("processors used by the cluster", 1.5)
        .containsEntry("documents refused", 2L)
        .containsEntry("documents without an answer", 4L)
        .containsEntry("acked documents missing", 1L)
        .containsEntry("nodes suspected: disconnected", 1L)
        .containsEntry("nodes suspected: silent", 2L)
        .containsEntry("nodes removed: refused", 3L)
        .containsEntry("nodes removed: silent", 4L);
  }

  @Test
  void pausesAreCountedByProcess() {
    result.paused("shard-service-1");
    result.paused("coordinator-1");
    result.paused("shard-service-1");

    assertThat(table())
        .containsEntry("pauses", 3)
        .containsEntry("paused processes", "coordinator-1: 1, shard-service-1: 2");
  }

  @Test
  void aTermGrowsWithEachChange() {
    result.termsChanged(
        new Terms(2, Map.of("0", 1L, "1", 1L)), new Terms(3, Map.of("0", 3L, "1", 1L)));
    result.termsChanged(new Terms(3, Map.of("0", 1L)), new Terms(5, Map.of("0", 2L)));

    assertThat(table())
        .containsEntry("changes of a primary term", 3L)
        .containsEntry("changes of the leading coordinator", 3L);
  }
}
