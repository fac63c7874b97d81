package io.varve.codec;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Generates documents from a seed. */
final class SomeJson {

  private SomeJson() {}

  /** Generates records with few structures, such as logs and metrics. */
  static List<byte[]> records(int count, long seed) {
    Random random = new Random(seed);
    List<byte[]> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder out = new StringBuilder();
      out.append("{\"@timestamp\":\"2026-01-01T00:%02d:%02dZ\"".formatted(i / 60 % 60, i % 60));
      out.append(",\"host\":\"node-").append(random.nextInt(5));
      out.append("\",\"took\":").append(random.nextInt(3_000));
      out.append(",\"price\":").append("%.2f".formatted(random.nextDouble() * 90));
      if (random.nextInt(8) == 0) {
        out.append(",\"error\":{\"code\":")
            .append(500 + random.nextInt(4))
            .append(",\"fatal\":false}");
      }
      out.append(",\"message\":\"request ").append(random.nextInt(100)).append(" served\"}");
      documents.add(utf8(out.toString()));
    }
    return documents;
  }

  /** Generates arbitrary JSON, which is sometimes malformed. */
  static byte[] any(Random random) {
    StringBuilder out = new StringBuilder("{");
    members(random, out, 3);
    return utf8(out.append('}').toString());
  }

  private static void members(Random random, StringBuilder out, int depth) {
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      out.append(i == 0 ? "" : ",").append(space(random)).append('"');
      out.append("abcdefgh".charAt(random.nextInt(8))).append(random.nextInt(3)).append('"');
      out.append(space(random)).append(':').append(space(random));
      value(random, out, depth);
    }
  }

  private static void value(Random random, StringBuilder out, int depth) {
    switch (random.nextInt(depth > 0 ? 12 : 9)) {
      case 0 -> out.append(random.nextInt());
      case 1 -> out.append(random.nextDouble());
      case 2 -> out.append("1e400");
      case 3 -> out.append("-0");
      case 4 -> out.append(random.nextBoolean());
      case 5 -> out.append("null");
      case 6 -> out.append("\"\"");
      case 7 ->
          out.append("\" padded \\\"quoted\\\" \\\\ \\u0000 ")
              .append((char) (0x4E00 + i(random)))
              .append('"');
      case 8 -> out.append('"').append("x".repeat(random.nextInt(40))).append('"');
      case 9 -> object(random, out, depth);
      case 10 -> list(random, out, depth, false);
      default -> list(random, out, depth, true);
    }
  }

  private static int i(Random random) {
    return random.nextInt(1_000);
  }

  private static void object(Random random, StringBuilder out, int depth) {
    out.append('{');
    members(random, out, depth - 1);
    out.append(space(random)).append('}');
  }

  private static void list(Random random, StringBuilder out, int depth, boolean deep) {
    out.append('[');
    int count = random.nextInt(7);
    for (int i = 0; i < count; i++) {
      out.append(i == 0 ? "" : ",").append(space(random));
      value(random, out, deep ? depth - 1 : 0);
    }
    out.append(']');
  }

  private static String space(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> " ";
      case 1 -> "\n  ";
      default -> "";
    };
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
