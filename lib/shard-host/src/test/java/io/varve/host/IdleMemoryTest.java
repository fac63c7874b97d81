package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What the idle copies of a node may hold without a refresh. */
class IdleMemoryTest {

  private final IdleMemory<String> memory = new IdleMemory<>(100);

  @Test
  void aCopyMayHoldWhatOthersDoNotNeed() {
    assertThat(memory.mayHold("quiet", 1)).isTrue();
    assertThat(memory.mayHold("busy", 99)).isTrue();
  }

  @Test
  void aboveTheLimitTheCopiesWithTheMostAreRefreshed() {
    memory.mayHold("quiet", 30);

    assertThat(memory.mayHold("busy", 71)).isFalse();
    assertThat(memory.mayHold("quiet", 30)).isTrue();
    assertThat(memory.mayHold("quiet", 50)).isFalse();
  }

  @Test
  void aRefreshMakesRoomForOthers() {
    memory.mayHold("a", 60);
    assertThat(memory.mayHold("b", 60)).isFalse();

    memory.mayHold("a", 0);

    assertThat(memory.mayHold("b", 60)).isTrue();
  }

  @Test
  void aCopyThatIsNotIdleDoesNotCount() {
    memory.mayHold("a", 60);
    memory.released("a");
    memory.released("a");

    assertThat(memory.mayHold("b", 100)).isTrue();
    assertThat(memory.mayHold("c", 1)).isTrue();
    assertThat(memory.mayHold("b", 100)).isFalse();
  }

  @Test
  void theLimitIsATwentiethOfTheHeapAndPositive() {
    assertThat(IdleMemory.<String>ofHeap().mayHold("a", Runtime.getRuntime().maxMemory() / 20))
        .isTrue();
    assertThat(IdleMemory.<String>ofHeap().mayHold("a", Runtime.getRuntime().maxMemory() / 20 + 1))
        .isFalse();
    assertThatThrownBy(() -> new IdleMemory<String>(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was 0");
  }
}
