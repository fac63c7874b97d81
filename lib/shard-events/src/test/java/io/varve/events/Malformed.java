package io.varve.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Feeds malformed bytes to a decoder, which must either accept them or throw {@link
 * MalformedRecordException}.
 */
public final class Malformed {

  private Malformed() {}

  /**
   * Feeds every prefix of valid bytes, the valid bytes with each single byte changed, and random
   * bytes.
   */
  public static void feed(byte[] good, Consumer<byte[]> decoder) {
    for (int length = 0; length < good.length; length++) {
      takesOrRefuses(Arrays.copyOf(good, length), decoder, "the first " + length + " bytes");
    }
    for (long seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      byte[] changed = good.clone();
      changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      takesOrRefuses(changed, decoder, "one byte changed, seed " + seed);
      byte[] noise = new byte[random.nextInt(40)];
      random.nextBytes(noise);
      takesOrRefuses(noise, decoder, "noise, seed " + seed);
    }
  }

  private static void takesOrRefuses(byte[] bytes, Consumer<byte[]> decoder, String what) {
    try {
      decoder.accept(bytes);
    } catch (RuntimeException e) {
      assertThat(e).as(what).isInstanceOf(MalformedRecordException.class);
    }
  }
}
