package io.varve.coordinator.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The static files of the console, from the jar. Nothing else can be read through it. */
final class ConsoleFiles {

  private static final Map<String, String> TYPES =
      Map.of(
          "index.html", "text/html;charset=utf-8",
          "console.css", "text/css;charset=utf-8",
          "console.js", "text/javascript;charset=utf-8",
          "copies.js", "text/javascript;charset=utf-8",
          "elements.js", "text/javascript;charset=utf-8",
          "query.js", "text/javascript;charset=utf-8",
          "tables.js", "text/javascript;charset=utf-8",
          "icon.svg", "image/svg+xml");

  /** The content of a file, its media type, and a tag that changes with the content. */
  static final class StaticFile {
    private final byte[] content;
    private final String type;
    private final String tag;

    private StaticFile(byte[] content, String type, String tag) {
      this.content = content;
      this.type = type;
      this.tag = tag;
    }

    byte[] content() {
      return content;
    }

    String type() {
      return type;
    }

    String tag() {
      return tag;
    }
  }

  private final Map<String, StaticFile> files = new LinkedHashMap<>();

  ConsoleFiles() {
    TYPES.forEach((name, type) -> files.put(name, read(name, type)));
  }

  private static StaticFile read(String name, String type) {
    try (InputStream in = ConsoleFiles.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks the file " + name + " of the console");
      }
      byte[] content = in.readAllBytes();
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return new StaticFile(content, type, HexFormat.of().formatHex(digest, 0, 8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * @param name without a folder; empty for the start page
   */
  Optional<StaticFile> file(String name) {
    return Optional.ofNullable(files.get(name.isEmpty() ? "index.html" : name));
  }
}
