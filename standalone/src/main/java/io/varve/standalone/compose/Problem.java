package io.varve.standalone.compose;

/**
 * A violated rule.
 *
 * @param rule the name of the rule, such as {@code port} or {@code health-check}
 * @param path the part of the file, such as {@code services.s3.ports[0]}
 */
record Problem(String rule, String path, String text) {

  /** The path of a key in the mapping at {@code path}. */
  static String below(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  @Override
  public String toString() {
    return path + ": [" + rule + "] " + text;
  }
}
