package io.varve.coordinator.rest.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.GetResult;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.Mapping;
import io.varve.search.source.SourceFilter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StoredFieldsTest {

  private static final Mapping MAPPING =
      Mapping.parse(
          """
          {"properties":{"k":{"type":"keyword"},"n":{"type":"integer"},"t":{"type":"boolean"},
           "d":{"type":"date"},"a":{"type":"ip"},"s":{"type":"scaled_float","scaling_factor":100},
           "o":{"properties":{"x":{"type":"keyword"}}}}}
          """);

  @Test
  void showsValuesAsTheirTypesDo() {
    assertThat(StoredFields.shown(field("k"), "abc")).isEqualTo("abc");
    assertThat(
            StoredFields.shown(
                field("k"), bytes("abc".getBytes(java.nio.charset.StandardCharsets.UTF_8))))
        .isEqualTo("abc");
    assertThat(StoredFields.shown(field("n"), 7)).isEqualTo(7);
    assertThat(StoredFields.shown(field("t"), "T")).isEqualTo(true);
    assertThat(StoredFields.shown(field("t"), 0)).isEqualTo(false);
    assertThat(StoredFields.shown(field("d"), 0)).isEqualTo("1970-01-01T00:00:00.000Z");
    assertThat(StoredFields.shown(field("s"), 150)).isEqualTo(1.5);
    byte[] address = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 127, 0, 0, 1};
    assertThat(StoredFields.shown(field("a"), bytes(address))).isEqualTo("127.0.0.1");
  }

  @Test
  void theSourceIsShownBesideFieldsOnlyWhenItIsAskedFor() {
    assertThat(StoredFields.source(null, null)).isEqualTo(SourceFilter.ALL);
    assertThat(StoredFields.source(null, Set.of("k"))).isEqualTo(SourceFilter.NONE);
    assertThat(StoredFields.source(null, Set.of("k", "_source"))).isEqualTo(SourceFilter.ALL);
    assertThat(StoredFields.source(SourceFilter.ALL, Set.of("k"))).isEqualTo(SourceFilter.ALL);
  }

  @Test
  void theShardIsAskedForFieldsAndNotForMetadata() {
    assertThat(StoredFields.toRead(Set.of("_routing", "_source", "k"))).containsExactly("k");
    assertThat(StoredFields.toRead(null)).isEmpty();
    assertThat(StoredFields.of((Object) List.of("a", "b"))).containsExactly("a", "b");
    assertThat(StoredFields.of((Object) "a")).containsExactly("a");
  }

  @Test
  void anObjectHasNoValueOfItsOwn() {
    StoredFields.check(Set.of("k", "absent"), MAPPING);
    assertThatThrownBy(() -> StoredFields.check(Set.of("o"), MAPPING))
        .hasMessageContaining("field [o] isn't a leaf field");
  }

  private static LeafField field(String name) {
    return Objects.requireNonNull(MAPPING.leaf(name));
  }

  private static Map<String, String> bytes(byte[] bytes) {
    return Map.of(GetResult.BYTES, Base64.getEncoder().encodeToString(bytes));
  }
}
