package io.varve.security;

/**
 * The rule for names of users, roles and API keys. A setting of coordinators further limits the
 * length of new names.
 */
final class Names {

  private static final int MAX_LENGTH = 1_024;

  private Names() {}

  static void require(String kind, String name) {
    boolean printable = name.chars().allMatch(c -> c >= ' ' && c != 0x7f);
    if (name.isBlank() || name.length() > MAX_LENGTH || !printable || name.contains(":")) {
      throw new IllegalArgumentException(
          "the name of a "
              + kind
              + " has 1 to "
              + MAX_LENGTH
              + " printable characters and no colon, was ["
              + name
              + "]");
    }
  }
}
