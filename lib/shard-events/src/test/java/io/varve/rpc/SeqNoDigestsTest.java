package io.varve.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.MalformedRecordException;
import io.varve.rpc.SeqNoDigests.Range;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SeqNoDigestsTest {

  private static final int PER_RANGE = SeqNoDigests.PER_RANGE;

  private record Doc(long seqNo, long term, long version) {}

  private static SeqNoDigests of(Doc... documents) {
    SeqNoDigests.Builder digests = new SeqNoDigests.Builder();
    for (Doc doc : documents) {
      digests.add(doc.seqNo(), doc.term(), doc.version());
    }
    return digests.build();
  }

  @Test
  void theOrderOfTheDocumentsDoesNotMatter() {
    Doc[] documents = new Doc[5_000];
    Random random = new Random(7);
    for (int i = 0; i < documents.length; i++) {
      documents[i] = new Doc(3L * i, 1 + random.nextInt(3), 1 + random.nextInt(9));
    }
    Doc[] reversed = documents.clone();
    Arrays.sort(reversed, (a, b) -> Long.compare(b.seqNo(), a.seqNo()));

    assertThat(of(documents).differing(of(reversed))).isEmpty();
    assertThat(of(documents).ranges()).isEqualTo(3 * 4_999 / PER_RANGE + 1);
  }

  @Test
  void eachOfSeqNoTermAndVersionMattersAndOnlyItsRangeDiffers() {
    Doc other = new Doc(2L * PER_RANGE, 1, 1);
    SeqNoDigests digests = of(new Doc(5, 1, 1), other);

    assertThat(digests.differing(of(new Doc(5, 1, 1), other))).isEmpty();
    for (Doc changed : new Doc[] {new Doc(6, 1, 1), new Doc(5, 2, 1), new Doc(5, 1, 2)}) {
      assertThat(digests.differing(of(changed, other)))
          .as(changed::toString)
          .containsExactly(new Range(0, PER_RANGE));
    }
  }

  @Test
  void termAndVersionCannotCompensateEachOther() {
    assertThat(of(new Doc(5, 1, 2)).differing(of(new Doc(5, 2, 1)))).hasSize(1);
    assertThat(
            of(new Doc(5, 1, 2), new Doc(6, 2, 1))
                .differing(of(new Doc(5, 2, 1), new Doc(6, 1, 2))))
        .hasSize(1);
  }

  @Test
  void documentsThatOneCopyLacksAreInDifferingRanges() {
    SeqNoDigests some = of(new Doc(0, 1, 1));
    SeqNoDigests more = of(new Doc(0, 1, 1), new Doc(1_023, 1, 1), new Doc(1_024, 1, 1));

    assertThat(some.differing(more))
        .containsExactly(new Range(0, PER_RANGE), new Range(PER_RANGE, 2 * PER_RANGE))
        .isEqualTo(more.differing(some));
    assertThat(of().differing(of())).isEmpty();
  }

  @Test
  void anAnswerIsReadAsItWasWritten() {
    SeqNoDigests digests = of(new Doc(0, 1, 1), new Doc(3_000, 2, 7));
    DigestWire.Answer read =
        DigestWire.decode(DigestWire.encode(new DigestWire.Answer("c", "run", 2, -1, digests)));

    assertThat(read.copyId()).isEqualTo("c");
    assertThat(read.incarnation()).isEqualTo("run");
    assertThat(read.seqNo()).isEqualTo(-1);
    assertThat(read.digests().ranges()).isEqualTo(3);
    assertThat(read.digests().differing(digests)).isEmpty();
  }

  @Test
  void aTruncatedAnswerIsRefused() {
    byte[] bytes =
        DigestWire.encode(new DigestWire.Answer("c", "run", 2, 9, of(new Doc(3_000, 2, 7))));

    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> DigestWire.decode(cut)).isInstanceOf(MalformedRecordException.class);
    }
  }
}
