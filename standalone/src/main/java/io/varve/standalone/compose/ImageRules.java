package io.varve.standalone.compose;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Images are pinned: their tag is a whole version. */
final class ImageRules {

  private static final String RULE = "image";
  private static final Pattern VERSION = Pattern.compile("v?\\d+(\\.\\d+)+\\S*");

  private ImageRules() {}

  static Optional<Problem> pinned(String path, String image) {
    String name = image.substring(image.lastIndexOf('/') + 1);
    int colon = name.indexOf(':');
    String tag = colon < 0 ? "" : name.substring(colon + 1);
    return VERSION.matcher(tag).matches()
        ? Optional.empty()
        : Optional.of(new Problem(RULE, path, "is not pinned to a version: " + image));
  }

  static List<Problem> ofDockerfile(String dockerfile) {
    return dockerfile
        .lines()
        .filter(line -> line.startsWith("FROM "))
        .flatMap(line -> pinned("Dockerfile", line.split("\\s+")[1]).stream())
        .toList();
  }
}
