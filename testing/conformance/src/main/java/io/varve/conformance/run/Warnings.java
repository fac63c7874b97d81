package io.varve.conformance.run;

import io.varve.conformance.suite.Step;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks that the warnings of a response are exactly those that the call expects, not counting
 * those that it allows.
 */
final class Warnings {

  private static final Pattern HEADER =
      Pattern.compile("299 OpenSearch-\\S+ \"((?:[^\"\\\\]|\\\\.)*)\"(?: \"[^\"]*\")?");

  private Warnings() {}

  static void check(List<String> headers, Step.Terms terms) {
    Set<String> missing = new LinkedHashSet<>(terms.warnings());
    List<String> unexpected = new ArrayList<>();
    for (String header : headers) {
      Matcher matcher = HEADER.matcher(header);
      if (!matcher.matches()) {
        throw new CheckFailure("malformed Warning header: " + header);
      }
      String text = matcher.group(1).replaceAll("\\\\(.)", "$1");
      if (!missing.remove(text)
          && !terms.warnings().contains(text)
          && !terms.allowedWarnings().contains(text)) {
        unexpected.add(text);
      }
    }
    if (!unexpected.isEmpty()) {
      throw new CheckFailure("unexpected warnings: " + unexpected);
    }
    if (!missing.isEmpty()) {
      throw new CheckFailure("warnings that did not come: " + missing);
    }
  }
}
