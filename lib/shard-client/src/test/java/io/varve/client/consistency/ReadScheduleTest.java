package io.varve.client.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.CopyAddress;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.rpc.ReadDemand;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Copies are written as {@code p5}: a primary that is known to show seq_no 5; attempts as {@code
 * p5/100}: that copy for 100 ms, {@code all} for the whole remaining time, {@code !} with a refresh
 * of the primary first.
 */
class ReadScheduleTest {

  private static CopyAddress copy(String name) {
    CopyRouting routing =
        new CopyRouting(name, name.startsWith("p"), CopyRouting.State.STARTED, "n", "");
    return new CopyAddress(
        new ShardId("u", 0),
        routing,
        new NodeInfo("n", "n", "i", Set.of(NodeInfo.PRIMARY), "http://127.0.0.1:1"));
  }

  private static String course(String copies, long seqNo, long staleness) {
    List<CopyAddress> preferred =
        Arrays.stream(copies.split(" ", -1)).map(ReadScheduleTest::copy).toList();
    return String.join(
        " ",
        ReadSchedule.of(
                preferred,
                new ReadDemand(seqNo, staleness, 0),
                copy -> Long.parseLong(copy.copy().copyId().substring(1)),
                100)
            .stream()
            .map(ReadScheduleTest::text)
            .toList());
  }

  private static String text(ReadSchedule.Attempt attempt) {
    return attempt.copy().copy().copyId()
        + "/"
        + (attempt.mostMillis() == ReadSchedule.ALL ? "all" : attempt.mostMillis())
        + (attempt.nudge() ? "!" : "");
  }

  @ParameterizedTest
  @CsvSource({
    // without a demand: in order of preference
    "r1 p9 r2, -1, -1, r1/0 p9/0 r2/0",
    // a copy that shows it is first
    "r1 r5 p9, 5, -1, r5/100 p9/100 r1/100 r1/all",
    // no copy is known to show it: briefly the preferred one, then the primary, then the others
    "r1 r2 p3, 5, -1, r1/100 p3/all r1/all r2/all",
    "p3 r1 r2, 5, -1, p3/all r1/all r2/all",
    // the primary may not be asked, so it is only refreshed
    "r1 r2, 5, -1, r1/100 r1/all! r2/all!",
    // known seq_nos say nothing about staleness
    "r9 p9, -1, 2000, r9/100 p9/all r9/all",
    "r9 p9, 5, 0, r9/100 p9/all r9/all",
    "p9, -1, 0, p9/all",
  })
  void asksInThisOrder(String copies, long seqNo, long staleness, String attempts) {
    assertThat(course(copies, seqNo, staleness)).isEqualTo(attempts);
  }
}
