package io.varve.clients.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Map;

/**
 * A request as bytes.
 *
 * @param target the request target, sent verbatim even if it is malformed
 */
@SuppressWarnings("ArrayRecordComponent")
record FuzzRequest(String method, String target, Map<String, String> headers, byte[] body) {

  private static final int SHOWN = 600;

  /** Returns the request in a form from which it can be sent again by hand. */
  String shown() {
    String text = new String(body, ISO_8859_1);
    return method
        + " "
        + target
        + " "
        + headers
        + " "
        + (text.length() > SHOWN ? text.substring(0, SHOWN) + "… " + text.length() : text);
  }
}
