package io.varve.http.route;

import io.varve.rpc.ApiException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Percent-encoded text of URIs: path segments and the query. */
public final class UriText {

  private UriText() {}

  /** {@code plusIsSpace} is true for a query and false for a path. */
  public static String decode(String text, boolean plusIsSpace) {
    if (text.indexOf('%') < 0 && (!plusIsSpace || text.indexOf('+') < 0)) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '%') {
        bytes.write(octet(text, i));
        i += 3;
        continue;
      }
      if (c == '+' && plusIsSpace) {
        bytes.write(' ');
        i++;
        continue;
      }
      int end = Character.isHighSurrogate(c) && i + 1 < text.length() ? i + 2 : i + 1;
      bytes.writeBytes(text.substring(i, end).getBytes(StandardCharsets.UTF_8));
      i = end;
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static int octet(String text, int at) {
    int high = at + 2 < text.length() ? Character.digit(text.charAt(at + 1), 16) : -1;
    int low = at + 2 < text.length() ? Character.digit(text.charAt(at + 2), 16) : -1;
    if (high < 0 || low < 0) {
      throw new ApiException(
          400, "bad_parameter_exception", "unterminated escape sequence in [" + text + "]");
    }
    return high * 16 + low;
  }

  /** If a parameter has several values, the last one counts. */
  public static Map<String, String> query(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
      String value = equals < 0 ? "" : decode(pair.substring(equals + 1), true);
      parameters.put(name, value);
    }
    return parameters;
  }
}
