package io.varve.load.plot;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A picture of several panels with lines, in two columns. The text depends only on the arguments.
 * Colors follow the reader's color scheme, light or dark; the background is opaque, so the picture
 * is legible on a page of either. Lines also differ in their markers.
 *
 * @param subtitle the conditions of the measurement
 */
public record SvgPlot(String title, List<String> subtitle, List<Panel> panels) {

  static final int MAX_SERIES = 6;

  private static final int COLUMNS = 2;
  private static final int PANEL_WIDTH = 450;
  private static final int PANEL_HEIGHT = 300;
  private static final int LEFT = 64;
  private static final int RIGHT = 18;
  private static final int TOP = 66;
  private static final int BOTTOM = 44;
  private static final int LINE_HEIGHT = 16;
  private static final int LEGEND_PER_ROW = 3;
  private static final String STYLE =
      """
      <style>
      .paper{fill:#ffffff}.text{fill:#1f2328}.quiet{fill:#57606a}.grid{stroke:#d8dee4}
      .s0{stroke:#0060a8;fill:#0060a8}.s1{stroke:#c04a00;fill:#c04a00}.s2{stroke:#007a57;fill:#007a57}
      .s3{stroke:#a0308a;fill:#a0308a}.s4{stroke:#7d6200;fill:#7d6200}.s5{stroke:#57606a;fill:#57606a}
      @media (prefers-color-scheme: dark){
      .paper{fill:#0d1117}.text{fill:#e6edf3}.quiet{fill:#9aa4af}.grid{stroke:#30363d}
      .s0{stroke:#58b2f0;fill:#58b2f0}.s1{stroke:#ff9351;fill:#ff9351}.s2{stroke:#3fd6a8;fill:#3fd6a8}
      .s3{stroke:#ec8fd6;fill:#ec8fd6}.s4{stroke:#e3c341;fill:#e3c341}.s5{stroke:#9aa4af;fill:#9aa4af}
      }
      .line{fill:none;stroke-width:2}
      text{font-family:system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;font-size:12px}
      .title{font-size:17px;font-weight:600}.name{font-size:13px;font-weight:600}
      </style>
      """;

  public SvgPlot {
    subtitle = List.copyOf(subtitle);
    panels = List.copyOf(panels);
  }

  public String svg() {
    int header = 40 + LINE_HEIGHT * subtitle.size();
    int width = COLUMNS * PANEL_WIDTH;
    int rows = (panels.size() + COLUMNS - 1) / COLUMNS;
    int height = header + rows * PANEL_HEIGHT;
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                + " role=\"img\">\n<title>%s</title>\n",
            width,
            height,
            width,
            height,
            escaped(title)));
    out.append(STYLE);
    out.append(
        String.format(
            Locale.ROOT, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", width, height));
    text(out, "text title", "start", 16, 28, title);
    for (int i = 0; i < subtitle.size(); i++) {
      text(out, "quiet", "start", 16, 28 + LINE_HEIGHT * (i + 1) + 4, subtitle.get(i));
    }
    for (int i = 0; i < panels.size(); i++) {
      out.append(
          String.format(
              Locale.ROOT,
              "<g transform=\"translate(%d,%d)\">\n",
              i % COLUMNS * PANEL_WIDTH,
              header + i / COLUMNS * PANEL_HEIGHT));
      panel(out, panels.get(i));
      out.append("</g>\n");
    }
    return out.append("</svg>\n").toString();
  }

  private static void panel(StringBuilder out, Panel panel) {
    text(out, "text name", "start", 16, 18, panel.title());
    legend(out, panel);
    Axis.Range x = panel.xRange();
    Axis.Range y = panel.yRange();
    for (double tick : y.ticks()) {
      double at = atY(y, tick);
      out.append(
          String.format(
              Locale.ROOT,
              "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n",
              LEFT,
              at,
              PANEL_WIDTH - RIGHT,
              at));
      text(out, "quiet", "end", LEFT - 6, at + 4, number(tick));
    }
    for (double tick : x.ticks()) {
      text(out, "quiet", "middle", atX(x, tick), PANEL_HEIGHT - BOTTOM + 16, number(tick));
    }
    text(
        out,
        "quiet",
        "middle",
        (LEFT + PANEL_WIDTH - RIGHT) / 2.0,
        PANEL_HEIGHT - 10,
        panel.x().label());
    for (int i = 0; i < panel.series().size(); i++) {
      line(out, i, panel.series().get(i), x, y);
    }
  }

  /** The unit of the values precedes the names of the lines. */
  private static void legend(StringBuilder out, Panel panel) {
    text(out, "quiet", "start", 16, 34, panel.y().label());
    for (int i = 0; i < panel.series().size(); i++) {
      int left = LEFT + i % LEGEND_PER_ROW * 128;
      int top = 44 + i / LEGEND_PER_ROW * 14;
      marker(out, i, left, top);
      text(out, "text", "start", left + 9, top + 4, panel.series().get(i).name());
    }
  }

  private static void line(
      StringBuilder out, int number, Panel.Series series, Axis.Range x, Axis.Range y) {
    out.append(
        String.format(
            Locale.ROOT,
            "<polyline class=\"line s%d\" points=\"%s\"/>\n",
            number,
            series.points().stream()
                .map(point ->
                    String.format(Locale.ROOT, "%.1f,%.1f", atX(x, point.x()), atY(y, point.y())))
                .collect(Collectors.joining(" "))));
    for (Panel.Point point : series.points()) {
      marker(out, number, atX(x, point.x()), atY(y, point.y()));
    }
  }

  private static void marker(StringBuilder out, int number, double x, double y) {
    String shape =
        switch (number % 4) {
          case 0 -> "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z";
          case 1 -> "m-3.5,-3.5h7v7h-7z";
          case 2 -> "m0,-5l4.5,8h-9z";
          default -> "m0,-5l5,5l-5,5l-5,-5z";
        };
    out.append(
        String.format(
            Locale.ROOT, "<path class=\"s%d\" d=\"M%.1f,%.1f%s\"/>\n", number, x, y, shape));
  }

  private static double atX(Axis.Range range, double value) {
    return LEFT + 8 + range.place(value) * (PANEL_WIDTH - LEFT - RIGHT - 16);
  }

  private static double atY(Axis.Range range, double value) {
    return PANEL_HEIGHT - BOTTOM - range.place(value) * (PANEL_HEIGHT - BOTTOM - TOP - 10);
  }

  private static void text(
      StringBuilder out, String kind, String anchor, double x, double y, String text) {
    out.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
            kind,
            anchor,
            x,
            y,
            escaped(text)));
  }

  private static String number(double value) {
    return value == 0 ? "0" : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
