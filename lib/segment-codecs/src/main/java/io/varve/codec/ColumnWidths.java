package io.varve.codec;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which columns are laid out digit by digit.
 *
 * <p>In columns of numbers and dates of similar length, the leading digits hardly change and the
 * trailing ones are random. Stored digit by digit, the leading digits take almost no space and the
 * trailing ones no more than their entropy. Repeated values are smaller as lines, because the
 * compressor matches each of them as a whole. For each value, the sizes in bits are estimated by
 * comparison with the previous value:
 *
 * <pre>
 *   digits: 4 for each byte that differs from the byte above it
 *   lines:  0 if the value equals the previous one, 14 if the block has had it, else the least of
 *           14 + 3.4 for each byte after the common prefix, and 3.4 for each byte
 * </pre>
 *
 * <p>An estimate is reused for documents with the same structure in the next {@value #BLOCKS}
 * blocks.
 */
final class ColumnWidths {

  static final byte FILLING = ' ';

  /** Columns whose lengths of values differ by more than this are stored as lines. */
  static final int MOST_FILLING = 3;

  private static final int WIDEST = 64;
  private static final int BLOCKS = 32;
  private static final int MOST_TEXTS = 1024;
  private static final int FEWEST_RECORDS = 8;
  private static final double LITERAL = 3.4;
  private static final double DIGIT = 4;
  private static final double MATCH = 14;
  private static final int SEEN = 512;

  private static final class Plan {
    final boolean[] digits;
    int[] @Nullable [] parts = new int[0][];
    int blocks;

    Plan(int placeholders) {
      digits = new boolean[placeholders];
    }
  }

  private final Map<Integer, Plan> plans = new HashMap<>();
  private final int[] seen = new int[SEEN];

  /** Sets the widths of a template to which all records have been added. */
  void decide(Template template, byte[] block) {
    if (!template.json) {
      return;
    }
    if (template.records < FEWEST_RECORDS) {
      Arrays.fill(template.widths, (byte) 0);
      return;
    }
    Plan plan = plan(template);
    boolean estimates = plan.blocks++ % BLOCKS == 0;
    if (estimates) {
      plan.parts = References.find(template, block);
    }
    template.parts = plan.parts;
    for (int placeholder = 0; placeholder < template.placeholders.length; placeholder++) {
      template.widths[placeholder] = 0;
      if (estimates || plan.digits[placeholder]) {
        int width = width(template, placeholder, block);
        if (estimates) {
          plan.digits[placeholder] =
              width > 0 && digitsAreSmaller(template, placeholder, width, block);
        }
        template.widths[placeholder] = plan.digits[placeholder] ? (byte) width : 0;
      }
      if (plan.parts[placeholder] != null && References.isFree(template, placeholder, block)) {
        template.widths[placeholder] = References.REFERS;
      }
    }
  }

  private Plan plan(Template template) {
    Plan plan = plans.get(template.hash);
    if (plan == null || plan.digits.length != template.placeholders.length) {
      if (plans.size() == MOST_TEXTS) {
        plans.clear();
      }
      plan = new Plan(template.placeholders.length);
      plans.put(template.hash, plan);
    }
    return plan;
  }

  /** The length of the longest value, or 0 if the column can't be laid out by digits. */
  private static int width(Template template, int placeholder, byte[] block) {
    int least = WIDEST + 1;
    int most = 0;
    for (int i = 0; i < template.records; i++) {
      int v = (i * template.placeholders.length + placeholder) * 2;
      int start = template.values[v];
      int length = template.values[v + 1] - start;
      least = Math.min(least, length);
      most = Math.max(most, length);
      if (most > WIDEST || most - least > MOST_FILLING || (length > 0 && block[start] == FILLING)) {
        return 0;
      }
    }
    return most;
  }

  private boolean digitsAreSmaller(Template template, int placeholder, int width, byte[] block) {
    Arrays.fill(seen, 0);
    double digits = 0;
    double lines = 0;
    int step = template.placeholders.length * 2;
    int before = placeholder * 2;
    for (int i = 1; i < template.records; i++) {
      int v = before + step;
      int from = template.values[before];
      int to = template.values[before + 1];
      int from2 = template.values[v];
      int to2 = template.values[v + 1];
      int common = Arrays.mismatch(block, from, to, block, from2, to2);
      boolean had = remember(block, from2, to2);
      if (common >= 0) {
        digits += DIGIT * differing(block, from, to, from2, to2, width);
        int length = to2 - from2;
        lines +=
            had ? MATCH : Math.min(MATCH + LITERAL * (length - common), LITERAL * (length + 1));
      }
      before = v;
    }
    return width == 1 || digits < lines;
  }

  private static int differing(byte[] block, int from, int to, int from2, int to2, int width) {
    int differing = 0;
    for (int digit = 1; digit <= width; digit++) {
      byte first = to - digit >= from ? block[to - digit] : FILLING;
      byte second = to2 - digit >= from2 ? block[to2 - digit] : FILLING;
      differing += first == second ? 0 : 1;
    }
    return differing;
  }

  private boolean remember(byte[] block, int from, int to) {
    int hash = 1;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + block[i];
    }
    hash = hash * 0x9E3779B9 | 1;
    int slot = hash >>> 23;
    boolean had = seen[slot] == hash;
    seen[slot] = hash;
    return had;
  }
}
