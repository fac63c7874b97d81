package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.version.DocumentState;
import io.varve.host.reading.HeldVersions;
import io.varve.rpc.CheckedFiles;
import io.varve.rpc.DigestWire;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RereplicationPage.Compared;
import io.varve.rpc.SeqNoDigests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CopyComparisonTest {

  private static final int RECORDS = 5_000;
  private static final Member REPLICA = new Member("r", "run");
  private static final Opening OPENING = new Opening(REPLICA, 1);

  /** A copy that applies operations in memory. */
  private static final class MemoryCopy implements CopyComparison.Own {

    private final Map<String, DocumentState> documents = new HashMap<>();
    private long applied = -1;

    void index(long seqNo, String id) {
      documents.put(id, new DocumentState(seqNo, 1, 1, false, null, null));
      applied = seqNo;
    }

    void delete(long seqNo, String id) {
      documents.put(id, new DocumentState(seqNo, 1, 2, true, null, null));
      applied = seqNo;
    }

    @Override
    public SeqNoDigests digests(long toSeqNo) {
      SeqNoDigests.Builder digests = new SeqNoDigests.Builder();
      documents.values().stream()
          .filter(state -> !state.deleted() && state.seqNo() < toSeqNo)
          .forEach(state -> digests.add(state.seqNo(), state.term(), state.version()));
      return digests.build();
    }

    @Override
    public List<Version> versions(SeqNoDigests.Range range) {
      List<Version> versions = new ArrayList<>();
      documents.forEach((id, state) -> {
        if (!state.deleted()
            && state.seqNo() >= range.fromSeqNo()
            && state.seqNo() < range.toSeqNo()) {
          versions.add(Version.of(id, state.seqNo(), state.term()));
        }
      });
      versions.sort(Comparator.comparingLong(Version::seqNo));
      return versions;
    }

    @Override
    public @Nullable DocumentState state(String id) {
      return documents.get(id);
    }
  }

  private final MemoryCopy primary = new MemoryCopy();
  private final MemoryCopy replica = new MemoryCopy();
  private String incarnation = "run";
  private List<String> differingFiles = List.of();
  private int asked;

  private final CopyComparison.Others others =
      new CopyComparison.Others() {
        @Override
        public Set<Opening> openings() {
          return Set.of(OPENING);
        }

        @Override
        public DigestWire.Answer digests(Member member, long toSeqNo) {
          return new DigestWire.Answer(
              "r", incarnation, 1, replica.applied, replica.digests(toSeqNo));
        }

        @Override
        public List<Version> versions(Member member, SeqNoDigests.Range range) {
          return replica.versions(range);
        }

        @Override
        public HoldsWire.Answer ask(Member member, List<Version> versions) {
          asked += versions.size();
          return HeldVersions.answer(
              versions,
              new HeldVersions.Holder(
                  "r", incarnation, () -> 1, () -> replica.applied, replica::state));
        }

        @Override
        public CheckedFiles checkFiles(Member member) {
          return new CheckedFiles("r", incarnation, replica.applied, 7, differingFiles);
        }
      };

  private CopyComparison.Result compare(boolean segments) throws Exception {
    return new CopyComparison(primary, others, () -> primary.applied)
        .compare(RECORDS - 1, segments);
  }

  private void fill() {
    for (int i = 0; i < RECORDS; i++) {
      primary.index(i, "d" + i);
      replica.index(i, "d" + i);
    }
  }

  @Test
  void equalCopiesAreComparedWithoutAQuestionForARecord() throws Exception {
    fill();

    assertThat(compare(false))
        .isEqualTo(
            new CopyComparison.Result(
                Set.of(OPENING), new Compared(5, 0, 0), 0, Map.of(), List.of()));
  }

  @Test
  void aSideThatIsFurtherOnIsNoFault() throws Exception {
    fill();
    replica.index(RECORDS, "d17");
    replica.delete(RECORDS + 1, "d18");
    primary.index(RECORDS, "d4000");
    primary.delete(RECORDS + 1, "d4001");

    CopyComparison.Result result = compare(false);

    assertThat(result.compared()).isEqualTo(new Compared(5, 2, 0));
    assertThat(result.asked()).isEqualTo(4);
    assertThat(result.differences()).isEmpty();
    assertThat(result.late()).isEmpty();
    assertThat(asked).as("what the primary lacks, it judges itself").isEqualTo(2);
  }

  @Test
  void plantedDifferencesAreFoundExactly() throws Exception {
    fill();
    replica.documents.remove("d10");
    replica.documents.put("d2000", new DocumentState(2_000, 2, 1, false, null, null));
    replica.documents.put("stray", new DocumentState(3_000, 1, 1, false, null, null));
    replica.documents.put("d4500", new DocumentState(4_400, 1, 1, false, null, null));

    CopyComparison.Result result = compare(false);

    assertThat(result.differences().get(REPLICA).records())
        .containsExactlyInAnyOrder(
            Disputed.of(Version.of("d10", 10, 1)),
            Disputed.of(Version.of("d2000", 2_000, 1)),
            Disputed.of(Version.of("d4500", 4_500, 1)),
            new Disputed(Version.absent("stray", RECORDS - 1), RECORDS - 1));
  }

  @Test
  void aPrimaryThatLacksALaterVersionIsComparedAsOfItsNewestOperation() throws Exception {
    fill();
    replica.documents.remove("d3000");
    replica.documents.put("d17", new DocumentState(3_000, 1, 2, false, null, null));
    primary.documents.remove("d3000");

    assertThat(compare(false).differences().get(REPLICA).records())
        .as("the log may have an operation of d17 up to the primary's newest one")
        .containsExactly(new Disputed(Version.of("d17", 17, 1), RECORDS - 1));
  }

  @Test
  void aCopyThatIsBehindOrOfAnotherRunIsNotCompared() throws Exception {
    fill();
    primary.index(RECORDS, "more");
    replica.applied = RECORDS - 2;
    assertThat(compare(false).late()).containsExactly("r");

    replica.applied = RECORDS;
    incarnation = "another";
    assertThat(compare(false).late()).containsExactly("r");
    assertThat(compare(true).late()).containsExactly("r");
  }

  @Test
  void segmentsAreComparedByFiles() throws Exception {
    fill();
    assertThat(compare(true).compared()).isEqualTo(new Compared(0, 0, 7));

    differingFiles = List.of("_0.cfs");
    assertThat(compare(true).differences().get(REPLICA).names()).containsExactly("_0.cfs");
  }
}
