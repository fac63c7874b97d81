package io.varve.engine.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Utf8Test {

  @ParameterizedTest
  @CsvSource({
    "7b7d, -1",
    "'', -1",
    "61c3a9, -1",
    "e4b8ad, -1",
    "f09f9880, -1",
    "7b00, 1",
    "007b, 0",
    "efbbbf7b7d, 0",
    "7befbbbf7d, -1",
    "61c328, 1",
    "61c3, 1",
    "c0af, 0",
    "e080af, 0",
    "eda080, 0",
    "f4908080, 0",
    "ff, 0",
    "80, 0",
    "e4b8, 0",
  })
  void findsTheFirstInvalidByte(String hex, int at) {
    assertThat(Utf8.firstInvalid(HexFormat.of().parseHex(hex))).isEqualTo(at);
  }

  @Test
  void agreesWithTheDecoderOfTheJdk() {
    long seed = 5;
    Random random = new Random(seed);
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[1 + random.nextInt(5)];
      random.nextBytes(bytes);
      for (int b = 0; b < bytes.length; b++) {
        bytes[b] |= (byte) (random.nextInt(3) == 0 ? 1 : 0x80);
      }
      assertThat(Utf8.firstInvalid(bytes) < 0)
          .as("%s of seed %d", HexFormat.of().formatHex(bytes), seed)
          .isEqualTo(decodes(bytes));
    }
  }

  private static boolean decodes(byte[] bytes) {
    for (byte b : bytes) {
      if (b == 0) {
        return false;
      }
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      boolean marked =
          bytes.length > 2
              && bytes[0] == (byte) 0xef
              && bytes[1] == (byte) 0xbb
              && bytes[2] == (byte) 0xbf;
      return !marked;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
