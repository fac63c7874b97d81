package io.varve.engine.source;

import io.varve.search.mapping.Values;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;

/**
 * Renders a term in one of these styles:
 *
 * <pre>
 *   k  quoted, with minimal escapes                 i  an address
 *   a  quoted, non-ASCII characters escaped too     b  base64
 *   r  unquoted: a number, true or false
 * </pre>
 */
record TermRendering(char style) implements Rendering.OfTerm {

  static final char MARK = 'K';

  @Override
  public String code() {
    return "" + MARK + style;
  }

  static TermRendering of(String code) {
    return new TermRendering(code.charAt(1));
  }

  @Override
  public void append(BytesRef term, BytesRefBuilder to) {
    switch (style) {
      case 'k' -> appendEscaped(term, to);
      case 'a' -> appendAscii(term.utf8ToString(), to);
      case 'r' -> to.append(term);
      case 'i' ->
          quote(Values.addressText(InetAddressPoint.decode(BytesRef.deepCopyOf(term).bytes)), to);
      case 'b' -> quote(base64(term), to);
      default -> throw new IllegalArgumentException("unknown style of terms [" + style + "]");
    }
  }

  private static String base64(BytesRef term) {
    return Base64.getEncoder().encodeToString(BytesRef.deepCopyOf(term).bytes);
  }

  private static void appendEscaped(BytesRef term, BytesRefBuilder to) {
    to.append((byte) '"');
    int from = term.offset;
    int end = term.offset + term.length;
    for (int i = from; i < end; i++) {
      byte b = term.bytes[i];
      if ((b >= 0 && b < ' ') || b == '"' || b == '\\') {
        to.append(term.bytes, from, i - from);
        ascii(escape((char) b), to);
        from = i + 1;
      }
    }
    to.append(term.bytes, from, end - from);
    to.append((byte) '"');
  }

  private static void appendAscii(String term, BytesRefBuilder to) {
    StringBuilder text = new StringBuilder(term.length() + 16);
    for (int i = 0; i < term.length(); i++) {
      char c = term.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || c > '~') {
        text.append(escape(c));
      } else {
        text.append(c);
      }
    }
    quote(text.toString(), to);
  }

  private static String escape(char c) {
    return switch (c) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case '\b' -> "\\b";
      case '\f' -> "\\f";
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> "\\u%04x".formatted((int) c);
    };
  }

  private static void quote(String text, BytesRefBuilder to) {
    to.append((byte) '"');
    ascii(text, to);
    to.append((byte) '"');
  }

  private static void ascii(String text, BytesRefBuilder to) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    to.append(bytes, 0, bytes.length);
  }
}
