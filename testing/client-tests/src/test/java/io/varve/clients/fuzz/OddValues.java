package io.varve.clients.fuzz;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values that often expose bugs. */
final class OddValues {

  /** Text that is inserted verbatim, valid JSON or not. */
  record Raw(String text) {}

  private static final List<Object> LITERALS =
      Arrays.<Object>asList(
          new Raw("1e400"),
          new Raw("-1e400"),
          new Raw("1e-400"),
          new Raw("9223372036854775807"),
          new Raw("9223372036854775808"),
          new Raw("-9223372036854775808"),
          new Raw("99999999999999999999999999999999999999"),
          new Raw("2147483647"),
          new Raw("2147483648"),
          new Raw("-2147483648"),
          new Raw("-0.0"),
          new Raw("0.1"),
          new Raw("null"),
          new Raw("\"\\ud800\""),
          new Raw("\"\\u0000\""),
          new Raw("NaN"),
          new Raw("Infinity"),
          new Raw("01"),
          new Raw("'x'"),
          0,
          1,
          -1,
          -2,
          true,
          false,
          List.of(),
          Map.of(),
          List.of(List.of()),
          List.of(1, "a", Map.of()),
          Map.of("", ""),
          Map.of("a", Map.of("b", List.of(Map.of()))),
          Collections.singletonList(null),
          Collections.singletonMap("x", null));

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "*",
          "**",
          "_all",
          "_doc",
          "_id",
          "_source",
          "_score",
          "null",
          "true",
          "now",
          "now+1000000000000000y",
          "now/x",
          "2023-99-99",
          "2023-01-01||/M",
          "-1",
          "1.5",
          "1e3",
          "100%",
          "-100%",
          "3<90%",
          "1d",
          "-1s",
          "0ms",
          "999999999999999d",
          "10kb",
          "-1b",
          "NaN",
          "AUTO",
          "AUTO:9,1",
          "..",
          "a..b",
          ".a",
          "a.",
          "a.b.c",
          "<logstash-{now/d}>",
          "<{now/d{yyyy|xx}}>",
          "-*",
          "+a,-b",
          "a,b",
          "a:b",
          "title",
          "pages",
          "[",
          "(",
          "((((((((((((a",
          "\\",
          "/[a/",
          "a{1,100000}",
          "(a|b*)*c+",
          "\"unclosed",
          "a AND (b OR",
          "[1 TO",
          "{a TO b]",
          "\u00e4\u4e2d\ud83d\ude00",
          "\u202e",
          "\ufeff",
          "Europe/Nowhere",
          "+25:00",
          "POINT (1",
          "u33d",
          "91,181",
          "1,2,3",
          "::1/129",
          "300.1.1.1",
          "yyyy-MM-dd||bad||'",
          "0x10",
          "\r\n",
          "a\tb");

  private OddValues() {}

  /** Returns a value that can be inserted anywhere in JSON. */
  static @Nullable Object value(Dice dice) {
    if (dice.chance(0.03)) {
      return dice.oneOf("x", "\u00e9", "\"", " ", "*").repeat(1 << dice.below(15));
    }
    return dice.chance(0.5) ? dice.oneOf(LITERALS) : text(dice);
  }

  static String text(Dice dice) {
    return dice.oneOf(TEXTS);
  }
}
