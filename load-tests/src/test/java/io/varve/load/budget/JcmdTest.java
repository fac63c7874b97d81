package io.varve.load.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class JcmdTest {

  @Test
  void theTotalOfAHistogramIsTheSizeOfTheLiveObjects() throws IOException {
    String histogram =
        """
        4711:
         num     #instances         #bytes  class name (module)
        -------------------------------------------------------
           1:        103829       21393880  [B (java.base@25)
        Total        875799       68562880
        """;

    assertThat(Jcmd.totalBytes(histogram)).isEqualTo(68_562_880);
    assertThatThrownBy(() -> Jcmd.totalBytes("4711:\n"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("without a total");
  }
}
