package io.varve.engine.document;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tokens of JSON in plain notation directly from its bytes.
 *
 * <p>A method returns false if it finds text that is malformed or that needs a complete parser: an
 * escape in a name, an exponent, or a number with too many digits. A complete parser reads the same
 * value from any text that a method accepts. Only whole sources can be checked for valid UTF-8, see
 * {@link #isAscii}.
 */
final class PlainTokens {

  private static final int MAX_NUMBER_BYTES = 64;

  /** Digits that a long always holds. */
  private static final int MAX_WHOLE_DIGITS = 18;

  /** Digits of integers that a double holds exactly, whatever they are. */
  private static final int MAX_EXACT_DIGITS = 15;

  /** Powers of ten that a double holds exactly. */
  private static final double[] POWERS = new double[MAX_EXACT_DIGITS + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private final byte[] bytes;
  private int position;
  private boolean ascii = true;

  private int from;
  private int length;
  private boolean plainText;
  private boolean escaped;
  private boolean whole;
  private long wholeNumber;
  private double number;

  PlainTokens(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Skips white space; returns the next byte without consuming it, or -1 at the end. */
  int peek() {
    while (position < bytes.length) {
      byte next = bytes[position];
      if (next > ' ') {
        return next;
      }
      if (next != ' ' && next != '\n' && next != '\r' && next != '\t') {
        // A control character, or part of a character outside of ASCII.
        return Byte.MIN_VALUE;
      }
      position++;
    }
    return -1;
  }

  /** Consumes the byte that {@link #peek} returned. */
  void advance() {
    position++;
  }

  /** Consumes the next byte if it is the wanted one. */
  boolean take(char wanted) {
    if (peek() != wanted) {
      return false;
    }
    position++;
    return true;
  }

  /** Whether only white space is left. */
  boolean atEnd() {
    return peek() == -1;
  }

  /** Whether all strings read so far consist of ASCII. */
  boolean isAscii() {
    return ascii;
  }

  /**
   * Reads a name of an object, without the colon; the position is at its opening quote.
   *
   * @param previous the number of the name before it, -1 for none
   * @return the number of the name, -1 if it is unknown or not plain
   */
  int name(NameTable names, int previous) {
    int expected = names.expectedAfter(previous);
    int expectedLength = names.length(expected);
    int end = position + 1 + expectedLength;
    if (end < bytes.length && bytes[end] == '"' && names.is(expected, bytes, position + 1)) {
      position = end + 1;
      return expected;
    }
    if (!string() || !plainText) {
      return -1;
    }
    int found = names.find(bytes, from, length);
    names.followed(previous, found);
    return found;
  }

  /** Reads a string; the position is at its opening quote. */
  boolean string() {
    plainText = true;
    escaped = false;
    int at = position + 1;
    from = at;
    while (at < bytes.length) {
      byte next = bytes[at];
      if (next == '"') {
        length = at - from;
        position = at + 1;
        return true;
      }
      if (next == '\\') {
        escaped = true;
        plainText = false;
        at++;
      } else if (next < ' ') {
        if (next >= 0) {
          return false;
        }
        plainText = false;
        ascii = false;
      }
      at++;
    }
    return false;
  }

  /** Whether the string consists of ASCII without escapes, so that its bytes are its characters. */
  boolean isPlainText() {
    return plainText;
  }

  byte[] bytes() {
    return bytes;
  }

  /** The position of the string's or number's first byte. */
  int from() {
    return from;
  }

  int length() {
    return length;
  }

  /** The string or number as text; {@code null} if it has escapes that are not plain. */
  @Nullable String text() {
    if (plainText) {
      return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
    }
    return escaped ? unescaped() : new String(bytes, from, length, StandardCharsets.UTF_8);
  }

  private @Nullable String unescaped() {
    byte[] plain = new byte[length];
    int count = 0;
    for (int at = from; at < from + length; at++) {
      byte next = bytes[at];
      if (next == '\\') {
        at++;
        next = control(bytes[at]);
        if (next == 0) {
          return null;
        }
      }
      plain[count++] = next;
    }
    return new String(plain, 0, count, StandardCharsets.UTF_8);
  }

  /** The character that an escape stands for; 0 for one of a code unit, and for invalid ones. */
  private static byte control(byte letter) {
    return switch (letter) {
      case '"', '\\', '/' -> letter;
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'f' -> '\f';
      default -> 0;
    };
  }

  /** Reads a number without an exponent; the position is at its first byte. */
  boolean number() {
    int start = position;
    boolean negative = bytes[start] == '-';
    int firstDigit = negative ? start + 1 : start;
    int afterWhole = digitsEnd(firstDigit);
    int digits = afterWhole - firstDigit;
    if (digits == 0 || (digits > 1 && bytes[firstDigit] == '0')) {
      return false;
    }
    int end = afterWhole;
    whole = end >= bytes.length || bytes[end] != '.';
    if (!whole) {
      end = digitsEnd(afterWhole + 1);
      if (end == afterWhole + 1) {
        return false;
      }
      digits += end - afterWhole - 1;
    }
    if (end - start > MAX_NUMBER_BYTES
        || !isDelimited(end)
        || (whole && digits > MAX_WHOLE_DIGITS)) {
      return false;
    }
    from = start;
    length = end - start;
    plainText = true;
    position = end;
    return value(negative, firstDigit, afterWhole, end, digits);
  }

  private boolean value(boolean negative, int firstDigit, int afterWhole, int end, int digits) {
    if (digits > MAX_EXACT_DIGITS && !whole) {
      number = Double.parseDouble(new String(bytes, from, length, StandardCharsets.ISO_8859_1));
      return true;
    }
    long value = 0;
    for (int at = firstDigit; at < end; at++) {
      if (at != afterWhole) {
        value = value * 10 + (bytes[at] - '0');
      }
    }
    if (whole) {
      wholeNumber = negative ? -value : value;
      number = (double) wholeNumber;
      return !negative || value != 0;
    }
    // Both operands are exact, so the quotient is the double nearest to the number.
    double magnitude = (double) value / POWERS[end - afterWhole - 1];
    number = negative ? -magnitude : magnitude;
    return true;
  }

  private int digitsEnd(int start) {
    int at = start;
    while (at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    return at;
  }

  private boolean isDelimited(int at) {
    return at < bytes.length
        && switch (bytes[at]) {
          case ',', '}', ']', ' ', '\n', '\r', '\t' -> true;
          default -> false;
        };
  }

  /** Whether the number is written without a fraction. */
  boolean isWhole() {
    return whole;
  }

  /** The number, if it is whole. */
  long wholeNumber() {
    return wholeNumber;
  }

  /** The double nearest to the number. */
  double decimal() {
    return number;
  }

  /** Reads {@code true}, {@code false} or {@code null}. */
  boolean literal(String word) {
    int end = position + word.length();
    if (!isDelimited(end)) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (bytes[position + i] != word.charAt(i)) {
        return false;
      }
    }
    position = end;
    return true;
  }
}
