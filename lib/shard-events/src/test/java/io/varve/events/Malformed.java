package io.varve.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Feeds a decoder with bytes that nobody wrote: it may take them, or say that they are malformed.
 */
public final class Malformed {

  private Malformed() {}

  /** Every prefix of a good form, the good form with each byte changed, and plain noise. */
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
