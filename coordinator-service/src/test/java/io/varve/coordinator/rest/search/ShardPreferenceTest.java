package io.varve.coordinator.rest.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShardPreferenceTest {

  @Test
  void shardsAndWhatStandsBehindTheBar() {
    assertThat(ShardPreference.parse("_shards:0,2|_primary"))
        .isEqualTo(new ShardPreference(Set.of(0, 2), "_primary"));
    assertThat(ShardPreference.parse("_shards:1")).isEqualTo(new ShardPreference(Set.of(1), null));
    assertThat(ShardPreference.parse("abc")).isEqualTo(new ShardPreference(Set.of(), "abc"));
    assertThat(ShardPreference.parse(null)).isEqualTo(ShardPreference.NONE);
  }

  @Test
  void noShardsMeansAll() {
    assertThat(ShardPreference.NONE.allows(7)).isTrue();
    assertThat(ShardPreference.parse("_shards:1").allows(7)).isFalse();
  }

  @Test
  void aShardIsANumber() {
    assertThatThrownBy(() -> ShardPreference.parse("_shards:x"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("no Preference for [_shards:x]");
  }
}
