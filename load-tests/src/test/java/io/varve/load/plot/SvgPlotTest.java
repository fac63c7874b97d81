package io.varve.load.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class SvgPlotTest {

  private static final Panel.Series LINE =
      new Panel.Series("a & b", List.of(new Panel.Point(1, 2), new Panel.Point(200, 1_999)));
  private static final SvgPlot PLOT =
      new SvgPlot(
          "Costs < 2",
          List.of("2 cores"),
          List.of(
              new Panel(
                  "CPU", Axis.logarithmic("shards"), Axis.linear("CPU seconds"), List.of(LINE)),
              new Panel(
                  "Times",
                  Axis.logarithmic("shards"),
                  Axis.logarithmic("milliseconds"),
                  List.of(LINE, LINE))));

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static List<String> texts(Document svg, String element) {
    NodeList found = svg.getElementsByTagName(element);
    return Stream.iterate(0, i -> i < found.getLength(), i -> i + 1)
        .map(i -> found.item(i).getTextContent())
        .toList();
  }

  @Test
  void thePictureIsXmlWithTitlesNamesUnitsAndSizes() throws Exception {
    assertThat(texts(parsed(PLOT.svg()), "text"))
        .contains("Costs < 2", "2 cores", "CPU", "CPU seconds", "shards", "a & b", "1", "200")
        .contains("milliseconds", "2000");
  }

  @Test
  void theSameResultsGiveTheSameText() {
    assertThat(PLOT.svg()).isEqualTo(PLOT.svg());
  }

  @Test
  void eachSeriesHasALineAndAMarkerForEachPointAndForItsName() throws Exception {
    Document svg = parsed(PLOT.svg());

    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(3);
    assertThat(svg.getElementsByTagName("path").getLength()).isEqualTo(3 * (2 + 1));
  }

  @Test
  void allPointsAreInsideTheirPanel() {
    Pattern.compile("points=\"([^\"]*)\"")
        .matcher(PLOT.svg())
        .results()
        .flatMap(match -> Stream.of(match.group(1).split(" ")))
        .forEach(point -> {
          String[] at = point.split(",");
          assertThat(Double.parseDouble(at[0])).isBetween(0.0, 450.0);
          assertThat(Double.parseDouble(at[1])).isBetween(0.0, 300.0);
        });
  }

  @Test
  void theColorsFollowTheReadersScheme() {
    assertThat(PLOT.svg()).contains("prefers-color-scheme: dark", ".paper{fill:#ffffff}");
  }

  @Test
  void whatHasNoPlaceIsRefused() {
    assertThatThrownBy(() -> new Panel.Point(1, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Panel.Series("none", List.of()))
        .hasMessageContaining("the series none has no points");
    assertThatThrownBy(() -> new Panel("none", Axis.linear("x"), Axis.linear("y"), List.of()))
        .hasMessageContaining("1 to 6 series");
  }
}
