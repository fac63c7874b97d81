package io.varve.client.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.CopyAddress;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.rpc.ReadDemand;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusingCopiesTest {

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final RefusingCopies refusing = new RefusingCopies(nanos::get);

  private static CopyAddress copy(String name) {
    return new CopyAddress(
        new ShardId("u", 0),
        new CopyRouting(name, false, CopyRouting.State.STARTED, "n", ""),
        new NodeInfo("n", "n", "i", Set.of(NodeInfo.REPLICA), "http://127.0.0.1:1"));
  }

  private List<String> order() {
    List<CopyAddress> copies = List.of(copy("a"), copy("b"), copy("c"));
    return refusing.last(ReadSchedule.of(copies, ReadDemand.NONE, _ -> -1, 0)).stream()
        .map(attempt -> attempt.copy().copy().copyId())
        .toList();
  }

  @Test
  void aCopyThatRefusedIsAskedLastUntilItAnswers() {
    refusing.refused(copy("a"));
    assertThat(order()).containsExactly("b", "c", "a");

    refusing.answered(copy("a"));
    assertThat(order()).containsExactly("a", "b", "c");
  }

  @Test
  void afterAWhileItIsAskedAgain() {
    refusing.refused(copy("a"));
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
    assertThat(order()).containsExactly("b", "c", "a");

    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(order()).containsExactly("a", "b", "c");
  }

  @Test
  void whereAllRefusedTheOrderStays() {
    for (String name : List.of("c", "a", "b")) {
      refusing.refused(copy(name));
    }
    assertThat(order()).containsExactly("a", "b", "c");
  }
}
