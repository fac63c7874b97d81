package io.varve.coordinator.security;

/**
 * The rule for names of new users, roles, mappings and API keys, in addition to that of the stored
 * entities.
 *
 * @param maxLength in characters
 */
record NameRules(int maxLength) {

  /**
   * @throws io.varve.rpc.ApiException 400: it is too long
   */
  String require(String name) {
    if (name.length() > maxLength) {
      throw RequestFields.refused(
          "a name has at most " + maxLength + " characters, but this one has " + name.length());
    }
    return name;
  }
}
