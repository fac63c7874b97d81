package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The indices of a state are found by name and by uuid, whatever happened to them. */
class IndexTableTest {

  private static IndexMetadata index(String name, String uuid, String... aliases) {
    IndexMetadata made = Clusters.index(name, 1, 0);
    return new IndexMetadata(name, uuid, 0, Map.of(), 1, "{}", 1, null, made.shards())
        .withAliases(
            Arrays.stream(aliases)
                .collect(Collectors.toMap(alias -> alias, _ -> AliasMetadata.PLAIN)));
  }

  private static String[] anyAliases(Random random) {
    return IntStream.range(0, 3)
        .filter(_ -> random.nextBoolean())
        .mapToObj(alias -> "alias-" + alias)
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void eachUuidAndEachAliasLeadsToTheIndicesThatHaveIt(long seed) {
    Random random = new Random(seed);
    Map<String, IndexMetadata> expected = new HashMap<>();
    IndexTable table = IndexTable.of(Map.of());
    for (int step = 0; step < 1_000; step++) {
      String name = "index-" + random.nextInt(50);
      if (random.nextInt(4) == 0) {
        expected.remove(name);
        table = table.without(name);
      } else {
        IndexMetadata index = index(name, "uuid-" + step, anyAliases(random));
        expected.put(name, index);
        table = table.with(index);
      }
    }
    assertThat(table).isEqualTo(expected);
    for (int step = 0; step < 1_000; step++) {
      String uuid = "uuid-" + step;
      assertThat(table.ofUuid(uuid))
          .isEqualTo(
              expected.values().stream().filter(index -> index.uuid().equals(uuid)).findAny());
    }
    for (String alias : List.of("alias-0", "alias-1", "alias-2", "alias-3")) {
      List<IndexMetadata> with =
          new TreeMap<>(expected)
              .values().stream().filter(index -> index.aliases().containsKey(alias)).toList();
      assertThat(table.ofAlias(alias)).isEqualTo(with);
      assertThat(IndexTable.of(expected).ofAlias(alias)).isEqualTo(with);
    }
  }

  @Test
  void twoIndicesCanExchangeTheirNames() {
    IndexTable table = IndexTable.of(Map.of("a", index("a", "1"), "b", index("b", "2")));
    IndexTable swapped = table.with(index("b", "1")).with(index("a", "2"));

    assertThat(swapped.ofUuid("1")).contains(index("b", "1"));
    assertThat(swapped.ofUuid("2")).contains(index("a", "2"));
    assertThat(swapped.without("a").ofUuid("1")).contains(index("b", "1"));
    assertThat(swapped.without("a").ofUuid("2")).isEmpty();
  }

  @Test
  void changesByUuidReachTheIndicesThatExist() {
    IndexTable table = IndexTable.of(Map.of("a", index("a", "1"), "b", index("b", "2")));
    IndexTable changed =
        table.with(Map.of("2", "{\"x\":1}", "3", "{}"), (old, text) -> old.withMapping(text, 2));

    assertThat(changed.get("b")).isEqualTo(index("b", "2").withMapping("{\"x\":1}", 2));
    assertThat(changed.get("a")).isSameAs(table.get("a"));
    assertThat(changed.keySet()).containsExactlyElementsOf(List.of("a", "b"));
  }

  @Test
  void anEventCopiesOnlyTheIndexThatItChanges() {
    ClusterState state = Clusters.with();
    for (int i = 0; i < 100; i++) {
      state = state.apply(new ClusterEvent.IndexCreated(Clusters.index("index-" + i, 1, 0)));
    }
    ClusterState before = state;
    ClusterState after = before.apply(new ClusterEvent.MappingChanged("index-7-uuid", 2, "{}"));

    Set<IndexMetadata> same = Collections.newSetFromMap(new IdentityHashMap<>());
    same.addAll(before.indices().values());
    assertThat(after.indices().values())
        .filteredOn(index -> !same.contains(index))
        .singleElement()
        .returns("index-7", IndexMetadata::name);
  }
}
