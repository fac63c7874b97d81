package io.varve.load;

/**
 * A part of a Markdown file that a program writes. It is enclosed in two comments:
 *
 * <pre>
 *   &lt;!-- generated: NAME --&gt;
 *   &lt;!-- end: NAME --&gt;
 * </pre>
 */
record MarkedSection(String name) {

  private String begin() {
    return "<!-- generated: " + name + " -->\n";
  }

  private String end() {
    return "<!-- end: " + name + " -->\n";
  }

  /** Returns the text with this section replaced; everything else stays unchanged. */
  String replacedIn(String text, String content) {
    int from = text.indexOf(begin());
    int to = text.indexOf(end());
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("the file has no section [" + name + "]");
    }
    return text.substring(0, from + begin().length()) + content + text.substring(to);
  }
}
