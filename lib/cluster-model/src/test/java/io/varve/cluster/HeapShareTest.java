package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeapShareTest {

  @ParameterizedTest
  @CsvSource({
    "60%, 1000, 600",
    "0.5%, 1000, 5",
    "10b, 1000, 10",
    "0, 1000, 0",
    "2kb, 1000, 2048",
    "1.5MB, 1000, 1572864",
    "1g, 1000, 1073741824",
    "-1, 1000, 9223372036854775807"
  })
  void readsSizesAndShares(String text, long heap, long bytes) {
    assertThat(HeapShare.bytes(text, heap)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    // The limit itself if the heap is large, or if the heap in use is not counted.
    "950, true, 1000, 750",
    "700, true, 1000, 700",
    "950, false, 1000, 950",
    "8160437862, true, 8589934592, 8160437862",
    // Of half a gigabyte, 128 MB are kept free.
    "510027366, true, 536870912, 402653184",
    "9223372036854775807, true, 1000, 9223372036854775807"
  })
  void keepsAReserveOfAHeapWhoseUseCounts(long limit, boolean real, long heap, long total) {
    assertThat(HeapShare.total(limit, real, heap)).isEqualTo(total);
  }

  @Test
  void aSizeIsComputedAgainWhenTheStateHasChanged() {
    AtomicReference<ClusterState> state = new AtomicReference<>(ClusterState.EMPTY);
    AtomicInteger computed = new AtomicInteger();
    LongSupplier size =
        HeapShare.following(
            state::get,
            now -> {
              computed.incrementAndGet();
              return now.clusterName().length();
            });

    assertThat(List.of(size.getAsLong(), size.getAsLong())).containsOnly(0L);
    assertThat(computed).hasValue(1);

    state.set(ClusterState.EMPTY.apply(new ClusterEvent.ClusterFormed("test", "cluster-uuid")));
    assertThat(List.of(size.getAsLong(), size.getAsLong())).containsOnly(4L);
    assertThat(computed).hasValue(2);
  }
}
