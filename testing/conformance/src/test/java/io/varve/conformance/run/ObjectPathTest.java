package io.varve.conformance.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObjectPathTest {

  private static final Object ROOT =
      Map.of("a.b", 1, "list", List.of(Map.of("x", "y")), "nodes", Map.of("n1", Map.of("ip", "i")));

  private final Stash stash = new Stash();

  @Test
  void walksThroughObjectsAndLists() {
    assertThat(ObjectPath.find(ROOT, "list.0.x", stash)).isEqualTo("y");
    assertThat(ObjectPath.find(ROOT, "a\\.b", stash)).isEqualTo(1);
    assertThat(ObjectPath.find(ROOT, "", stash)).isEqualTo(ROOT);
    assertThat(ObjectPath.find(ROOT, "list.0.x.deeper", stash)).isNull();
    assertThat(ObjectPath.find(ROOT, "nothing.at.all", stash)).isNull();
  }

  @Test
  void givesAnyKeyOfAnObject() {
    assertThat(ObjectPath.find(ROOT, "nodes._arbitrary_key_", stash)).isEqualTo("n1");
  }

  @Test
  void takesKeysFromTheStash() {
    stash.put("node", "n1");
    stash.put("rest", "de");
    assertThat(ObjectPath.find(ROOT, "nodes.$node.ip", stash)).isEqualTo("i");
    assertThat(ObjectPath.find(Map.of("nodes", 1), "no${rest}s", stash)).isEqualTo(1);
  }

  @Test
  void refusesAnElementThatIsNotThere() {
    assertThatThrownBy(() -> ObjectPath.find(ROOT, "list.1", stash))
        .isInstanceOf(CheckFailure.class);
    assertThatThrownBy(() -> ObjectPath.find(ROOT, "list.x", stash))
        .isInstanceOf(CheckFailure.class);
  }
}
