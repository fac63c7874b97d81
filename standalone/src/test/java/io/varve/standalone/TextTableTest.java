package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTableTest {

  @Test
  void columnsAreAsWideAsTheirWidestCellAndNumbersAreRightAligned() {
    TextTable table = new TextTable().text("name").number("docs").text("");
    table.row("books", "12,345", "");
    table.row("a", "7", "closed");

    assertThat(table.lines())
        .containsExactly("name     docs", "books  12,345", "a           7  closed");
  }

  @Test
  void aRowHasACellForEachColumn() {
    TextTable table = new TextTable().text("name");

    assertThatIllegalArgumentException().isThrownBy(() -> table.row("a", "b"));
    assertThat(table.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0,0 B", "1023,1023 B", "1024,1.0 KB", "1572864,1.5 MB", "2199023255552,2.0 TB"})
  void sizesHaveTheLargestUnitOfWhichThereIsOne(long bytes, String text) {
    assertThat(TextTable.bytes(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0,0 ms", "999,999 ms", "1500,1.5 s"})
  void durationsHaveSecondsFromOneSecondOn(long millis, String text) {
    assertThat(TextTable.millis(millis)).isEqualTo(text);
  }
}
