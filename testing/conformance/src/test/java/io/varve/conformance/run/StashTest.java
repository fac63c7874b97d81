package io.varve.conformance.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StashTest {

  private final Stash stash = new Stash();

  @Test
  void replacesAWholeReferenceByTheValueAndAnEmbeddedOneByItsText() {
    stash.put("id", 7);

    assertThat(stash.resolve("$id")).isEqualTo(7);
    assertThat(stash.resolve("${id}")).isEqualTo(7);
    assertThat(stash.resolve("a-${id}-b")).isEqualTo("a-7-b");
    assertThat(stash.resolve(Map.of("$id", List.of("$id")))).isEqualTo(Map.of("7", List.of(7)));
  }

  @Test
  void leavesWhatItDoesNotKnow() {
    assertThat(stash.resolve("$other")).isEqualTo("$other");
    assertThat(stash.resolve("costs 5$")).isEqualTo("costs 5$");
    assertThat(stash.resolve(null)).isNull();
  }
}
