package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The links between the pages of the repository are valid. */
class PageLinksTest {

  private static final Path DECISIONS = Modules.ROOT.resolve("docs/adr");

  /** A link to a file, without its anchor. */
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:\\s]+)(?:#[^)\\s]*)?\\)");

  private static List<Path> pages() throws IOException {
    try (Stream<Path> top = Files.list(Modules.ROOT);
        Stream<Path> docs = Files.walk(Modules.ROOT.resolve("docs"))) {
      return Stream.concat(top, docs).filter(path -> path.toString().endsWith(".md")).toList();
    }
  }

  @Test
  void everyLinkToAFileLeadsToOne() throws IOException {
    assertThat(pages()).hasSizeGreaterThan(40);
    for (Path page : pages()) {
      LINK.matcher(Files.readString(page))
          .results()
          .forEach(link ->
              assertThat(page.resolveSibling(link.group(1)))
                  .as("%s links to %s", Modules.ROOT.relativize(page), link.group(1))
                  .exists());
    }
  }

  @Test
  void everyDecisionIsInTheIndex() throws IOException {
    String index = Files.readString(DECISIONS.resolve("README.md"));
    try (Stream<Path> files = Files.list(DECISIONS)) {
      List<String> decisions =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.matches("\\d{4}-.+"))
              .toList();
      assertThat(decisions)
          .hasSizeGreaterThan(28)
          .allMatch(name -> index.contains("](" + name + ")"), "is in the index");
    }
  }
}
