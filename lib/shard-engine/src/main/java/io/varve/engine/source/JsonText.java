package io.varve.engine.source;

/** Navigates JSON bytes that were parsed before and are known to be valid. */
final class JsonText {

  private JsonText() {}

  static int skipSpace(byte[] json, int at) {
    int next = at;
    while (isSpace(json[next])) {
      next++;
    }
    return next;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /** The end of the string that starts at {@code at}. */
  static int endOfString(byte[] json, int at) {
    int next = at + 1;
    while (json[next] != '"') {
      next += json[next] == '\\' ? 2 : 1;
    }
    return next + 1;
  }

  /** The end of the value that starts at {@code at}. */
  static int endOfValue(byte[] json, int at) {
    return switch (json[at]) {
      case '"' -> endOfString(json, at);
      case '{', '[' -> endOfContainer(json, at);
      default -> endOfWord(json, at);
    };
  }

  private static int endOfContainer(byte[] json, int at) {
    int depth = 0;
    int next = at;
    do {
      switch (json[next]) {
        case '"' -> next = endOfString(json, next) - 1;
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      next++;
    } while (depth > 0);
    return next;
  }

  private static int endOfWord(byte[] json, int at) {
    int next = at;
    while (next < json.length
        && json[next] != ','
        && json[next] != '}'
        && json[next] != ']'
        && !isSpace(json[next])) {
      next++;
    }
    return next;
  }
}
