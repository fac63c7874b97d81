package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyKindsTest {

  @TempDir Path folder;
  private NodeWorld world;
  private final List<String> made = new ArrayList<>();

  @BeforeEach
  void makeWorld() throws Exception {
    world = new NodeWorld(folder);
  }

  @AfterEach
  void endWorld() {
    world.close();
  }

  /** Records the requested copies without creating any. */
  private final class Noted implements CopyKind {

    private final boolean primary;

    Noted(boolean primary) {
      this.primary = primary;
    }

    @Override
    public boolean primary() {
      return primary;
    }

    @Override
    public CopyFactory on(NodeContext node) {
      return (_, asked, term) -> {
        made.add((primary ? "primary" : "replica") + " " + asked + " " + term);
        return null;
      };
    }
  }

  private CopyFactory factory(CopyKind... kinds) {
    return new CopyKinds(List.of(kinds)).on(world.node("n1"));
  }

  @Test
  void makesEachCopyByTheKindOfItsRole() {
    CopyFactory factory = factory(new Noted(false), new Noted(true));

    factory.create(world.copy("n1"), true, 3);
    factory.create(world.copy("n1"), false, 0);

    assertThat(made).containsExactly("primary true 3", "replica false 0");
  }

  @Test
  void refusesACopyOfAKindThatIsAbsent() {
    CopyFactory factory = factory(new Noted(false));

    assertThatThrownBy(() -> factory.create(world.copy("n1"), true, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("can hold no primaries")
        .hasMessageContaining(NodeWorld.SHARD.toString());
    assertThat(made).isEmpty();
  }

  @Test
  void refusesTwoKindsForOneRole() {
    List<CopyKind> kinds = List.of(new Noted(true), new Noted(true));

    assertThatThrownBy(() -> new CopyKinds(kinds))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two kinds of primaries");
  }
}
