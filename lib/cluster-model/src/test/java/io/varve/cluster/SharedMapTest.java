package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link SharedMap} compared with the JDK's sorted map. */
class SharedMapTest {

  /** The greatest height of an AVL tree with 10,000 entries is 1.44 log2(10,000). */
  private static final int GREATEST_HEIGHT_OF_10_000 = 19;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void itHoldsWhatASortedMapHoldsAfterAnyChanges(long seed) {
    Random random = new Random(seed);
    Map<String, Integer> expected = new TreeMap<>();
    SharedMap<Integer> map = SharedMap.empty();
    for (int step = 0; step < 2_000; step++) {
      String key = "key-" + random.nextInt(300);
      if (random.nextInt(3) == 0) {
        expected.remove(key);
        map = map.without(key);
      } else {
        expected.put(key, step);
        map = map.with(key, step);
      }
      assertThat(map.get(key)).isEqualTo(expected.get(key));
      assertThat(map.containsKey(key)).isEqualTo(expected.containsKey(key));
      assertThat(map.size()).isEqualTo(expected.size());
    }
    assertThat(map).isEqualTo(expected).hasSameHashCodeAs(expected);
    assertThat(new ArrayList<>(map.keySet())).isEqualTo(new ArrayList<>(expected.keySet()));
    assertThat(new ArrayList<>(map.values())).isEqualTo(new ArrayList<>(expected.values()));
    assertThat(visited(map)).isEqualTo(new ArrayList<>(expected.keySet()));
    assertThat(SharedMap.of(expected)).isEqualTo(map);
  }

  private static List<String> visited(SharedMap<Integer> map) {
    List<String> keys = new ArrayList<>();
    map.forEach((key, _) -> keys.add(key));
    return keys;
  }

  @Test
  void aChangeLeavesTheMapThatItWasMadeFromAsItWas() {
    SharedMap<Integer> one = SharedMap.<Integer>empty().with("a", 1).with("b", 2);
    SharedMap<Integer> other = one.with("a", 3).without("b").with("c", 4);

    assertThat(one).isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(other).isEqualTo(Map.of("a", 3, "c", 4));
    assertThat(one.without("z")).isSameAs(one);
    assertThatThrownBy(() -> one.put("d", 5)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> one.entrySet().iterator().next().setValue(5))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void differencesAreTheEntriesThatOnlyOneMapHas(long seed) {
    Random random = new Random(seed);
    SharedMap<String> before = SharedMap.empty();
    for (int i = 0; i < 200; i++) {
      before = before.with("key-" + i, "value-" + i);
    }
    SharedMap<String> after = before;
    int changes = random.nextInt(100);
    for (int change = 0; change < changes; change++) {
      String key = "key-" + random.nextInt(300);
      after = random.nextBoolean() ? after.without(key) : after.with(key, "change-" + change);
    }
    List<String> onlyBefore = new ArrayList<>();
    List<String> onlyAfter = new ArrayList<>();
    SharedMap.differences(before, after, onlyBefore::add, onlyAfter::add);

    assertThat(onlyBefore).containsExactlyInAnyOrderElementsOf(values(before, after));
    assertThat(onlyAfter).containsExactlyInAnyOrderElementsOf(values(after, before));
  }

  private static List<String> values(SharedMap<String> here, SharedMap<String> there) {
    return here.entrySet().stream()
        .filter(entry -> !entry.getValue().equals(there.get(entry.getKey())))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Test
  void itIsBalancedInWhateverOrderItsKeysArrive() {
    SharedMap<Integer> rising = SharedMap.empty();
    SharedMap<Integer> falling = SharedMap.empty();
    for (int i = 0; i < 10_000; i++) {
      rising = rising.with("%05d".formatted(i), i);
      falling = falling.with("%05d".formatted(9_999 - i), i);
    }
    SharedMap<Integer> thinned = rising;
    for (int i = 0; i < 10_000; i += 2) {
      thinned = thinned.without("%05d".formatted(i));
    }
    assertThat(rising.height()).isLessThanOrEqualTo(GREATEST_HEIGHT_OF_10_000);
    assertThat(falling.height()).isLessThanOrEqualTo(GREATEST_HEIGHT_OF_10_000);
    assertThat(thinned.height()).isLessThanOrEqualTo(GREATEST_HEIGHT_OF_10_000 - 1);
    assertThat(SharedMap.of(new TreeMap<>(rising)).height()).isEqualTo(14);
  }
}
