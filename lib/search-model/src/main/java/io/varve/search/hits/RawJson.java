package io.varve.search.hits;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.SerializableString;

/**
 * A JSON value in UTF-8. A generator of bytes copies it to its buffer without decoding it, and need
 * not be flushed before. Only the unquoted forms exist, because the value is not a string.
 */
@SuppressWarnings("ArrayRecordComponent")
record RawJson(byte[] json) implements SerializableString {

  private static final int NO_ROOM = -1;

  @Override
  public String getValue() {
    return new String(json, StandardCharsets.UTF_8);
  }

  @Override
  public int charLength() {
    return getValue().length();
  }

  @Override
  public byte[] asUnquotedUTF8() {
    return json;
  }

  @Override
  public int appendUnquotedUTF8(byte[] buffer, int offset) {
    if (json.length > buffer.length - offset) {
      return NO_ROOM;
    }
    System.arraycopy(json, 0, buffer, offset, json.length);
    return json.length;
  }

  @Override
  public int appendUnquoted(char[] buffer, int offset) {
    String value = getValue();
    if (value.length() > buffer.length - offset) {
      return NO_ROOM;
    }
    value.getChars(0, value.length(), buffer, offset);
    return value.length();
  }

  @Override
  public int writeUnquotedUTF8(OutputStream out) throws IOException {
    out.write(json);
    return json.length;
  }

  @Override
  public int putUnquotedUTF8(ByteBuffer buffer) {
    if (json.length > buffer.remaining()) {
      return NO_ROOM;
    }
    buffer.put(json);
    return json.length;
  }

  @Override
  public char[] asQuotedChars() {
    throw unquoted();
  }

  @Override
  public byte[] asQuotedUTF8() {
    throw unquoted();
  }

  @Override
  public int appendQuotedUTF8(byte[] buffer, int offset) {
    throw unquoted();
  }

  @Override
  public int appendQuoted(char[] buffer, int offset) {
    throw unquoted();
  }

  @Override
  public int writeQuotedUTF8(OutputStream out) {
    throw unquoted();
  }

  @Override
  public int putQuotedUTF8(ByteBuffer buffer) {
    throw unquoted();
  }

  private static UnsupportedOperationException unquoted() {
    return new UnsupportedOperationException("a JSON value has no quoted form");
  }
}
