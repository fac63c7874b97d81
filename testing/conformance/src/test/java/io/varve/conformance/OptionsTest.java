package io.varve.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

class OptionsTest {

  @Test
  void coreAndWiderAreTheDefaultTargets() {
    Options options = Options.parse();

    assertThat(options.targets()).containsExactly("core", "wider");
    assertThat(options.only()).isEmpty();
    assertThat(options.url()).isEmpty();
    assertThat(options.passedFile()).isEmpty();
    assertThat(options.verbose()).isFalse();
    assertThat(options.failFast()).isFalse();
  }

  @Test
  void listsAreSplitAtCommasAndRepeatedOptionsAddToThem() {
    Options options =
        Options.parse(
            "--only", "bulk,search/10*", "--target", "all", "--only", "count", "--verbose");

    assertThat(options.targets()).containsExactly("all");
    assertThat(options.only()).containsExactly("bulk", "search/10*", "count");
    assertThat(options.verbose()).isTrue();
  }

  @Test
  void anOptionThatIsNotKnownOrHasNoValueIsRefused() {
    assertThatThrownBy(() -> Options.parse("--onyl", "bulk"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--onyl");
    assertThatThrownBy(() -> Options.parse("--url"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--url");
  }
}
