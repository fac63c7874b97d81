package io.varve.host.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Operation;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OriginsTest {

  private final Origins origins = new Origins();

  private static Operation operation(long seqNo, long originOffset) {
    Operation.Origin origin = new Operation.Origin(originOffset, 3);
    return new Operation(1, seqNo, 1, 1, "a", null, null, origin);
  }

  @Test
  void theNewestOriginComesWithTheSeqNoOfItsOperation() {
    origins.applied(operation(4, 40));
    origins.applied(operation(6, 60));

    assertThat(origins.newest(6)).isEqualTo(new Origins.Held(6, new Operation.Origin(60, 3)));
    assertThat(origins.newest(5))
        .as("5 is accepted and not applied yet")
        .isEqualTo(new Origins.Held(4, new Operation.Origin(40, 3)));
    assertThat(origins.newest(3)).isNull();
  }

  @Test
  void aCommitCarriesTheNewestOriginUpToItsSeqNo() {
    origins.put(4, new Operation.Origin(40, 3, 77));
    origins.put(6, new Operation.Origin(60, 3));

    assertThat(Origins.ofCommit(origins.commitData(5))).isEqualTo(new Operation.Origin(40, 3, 77));
    assertThat(Origins.ofCommit(origins.commitData(6))).isEqualTo(new Operation.Origin(60, 3));
  }

  @Test
  void aDigestThatAnEarlierVersionCopiedIntoALaterCommitIsIgnored() {
    Map<String, String> data =
        Map.of("origin_offset", "60", "origin_term", "3", "origin_digest", "40:77");
    assertThat(Origins.ofCommit(data)).isEqualTo(new Operation.Origin(60, 3));
  }

  @Test
  void anOperationWithoutAnOriginChangesNothing() {
    origins.applied(operation(4, 40));

    origins.applied(new Operation(1, 5, 1, 1, "a", null, null, null));

    assertThat(origins.newest(9)).isEqualTo(new Origins.Held(4, new Operation.Origin(40, 3)));
  }
}
