package io.varve.engine;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Generates documents, among them malformed ones and unusual notations of well-formed ones. */
final class HostileDocuments {

  static final String MAPPING =
      """
      {"dynamic":"strict","properties":{
        "long":{"type":"long"}, "int":{"type":"integer","coerce":false}, "short":{"type":"short"},
        "byte":{"type":"byte","ignore_malformed":true},
        "double":{"type":"double"}, "float":{"type":"float"}, "half":{"type":"half_float"},
        "scaled":{"type":"scaled_float","scaling_factor":100,"store":true},
        "unsigned":{"type":"unsigned_long"}, "bool":{"type":"boolean"},
        "date":{"type":"date"}, "day":{"type":"date","format":"yyyy-MM-dd HH:mm:ss","store":true},
        "time":{"type":"date","format":"epoch_second||strict_date_optional_time"},
        "nanos":{"type":"date_nanos"}, "ip":{"type":"ip"},
        "kw":{"type":"keyword","ignore_above":6,"null_value":"none"},
        "stored":{"type":"keyword","doc_values":false,"store":true},
        "lower":{"type":"keyword","normalizer":"lowercase"},
        "values":{"type":"long","index":false}, "indexed":{"type":"integer","doc_values":false},
        "many":{"type":"long","fields":{"raw":{"type":"keyword"}}},
        "text":{"type":"text","fields":{"raw":{"type":"keyword"}}},
        "count":{"type":"token_count","analyzer":"standard"},
        "point":{"type":"geo_point"}, "flat":{"type":"flat_object"},
        "range":{"type":"integer_range"}, "bytes":{"type":"binary","store":true},
        "copied":{"type":"keyword","copy_to":["kw"]}, "alias":{"type":"alias","path":"kw"},
        "off":{"type":"object","enabled":false},
        "loose":{"type":"object","dynamic":"false","properties":{"n":{"type":"long"}}},
        "nested":{"type":"nested","properties":{"n":{"type":"long"}}},
        "obj":{"properties":{"n":{"type":"long"},"inner":{"properties":{"s":{"type":"keyword"}}}}}}}
      """;

  private static final List<String> NAMES =
      List.of(
          "long",
          "int",
          "short",
          "byte",
          "double",
          "float",
          "half",
          "scaled",
          "unsigned",
          "bool",
          "date",
          "day",
          "time",
          "nanos",
          "ip",
          "kw",
          "stored",
          "lower",
          "values",
          "indexed",
          "many",
          "text",
          "count",
          "point",
          "obj");
  private static final List<String> RARE_NAMES =
      List.of(
          "flat",
          "range",
          "bytes",
          "copied",
          "alias",
          "off",
          "loose",
          "nested",
          "new",
          "obj.n",
          "lon\\u0067",
          "",
          "_id",
          "kw.raw",
          "a..b");
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "1",
          "-1",
          "127",
          "-128",
          "128",
          "32767",
          "32768",
          "2147483647",
          "2147483648",
          "-2147483648",
          "999999999999999999",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "18446744073709551615",
          "0.0",
          "-0.0",
          "0.5",
          "1.25",
          "0.3",
          "1.005",
          "40.712776",
          "-73.98547",
          "123456.789012345",
          "0.1234567890123456789",
          "123456789012345678.5",
          "1e3",
          "1E-3",
          "1.5e300",
          "1e999",
          "65504",
          "65520.0",
          "3.5e38",
          "01",
          "1.",
          ".5",
          "+1",
          "-",
          "--1",
          "1a",
          "0x1",
          "NaN",
          "1.2.3",
          "1_000");
  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "abc",
          "abcdef",
          "abcdefg",
          "ABC",
          "12",
          "-3",
          "1.5",
          "true",
          "false",
          " 7 ",
          "2015-01-01 00:00:00",
          "2015-02-29 00:00:00",
          "2016-02-29 23:59:59",
          "2015-01-01 24:00:00",
          "2015-13-01 00:00:00",
          "1969-12-31 23:59:59",
          "2015-01-01",
          "2015-01-01T00:00:00Z",
          "2015-01-01T00:00:00",
          "2015-01-01T10:11:12.1Z",
          "2015-01-01T10:11:12.123456789Z",
          "1960-01-01T10:11:12.9999Z",
          "2015-01-01T10:11:12.1234567890Z",
          "2015-01-01T10:11:12.Z",
          "2015-01-01T10:11:12+01:00",
          "2015-01-01T10:11:1xZ",
          "0000-01-01T00:00:00Z",
          "2015",
          "1420070400000",
          "1.2.3.4",
          "::1",
          "40.7,-73.9",
          "POINT (1 2)",
          "drm3b",
          "aGVsbG8=",
          "\\\"quoted\\\"",
          "a\\\\b\\/c",
          "line\\nfeed",
          "\\u0061",
          "\\ud83d\\ude00",
          "\\ud83d",
          "\\x",
          "caf\u00e9",
          "\u4e2d\u6587\u5b57",
          "\ud83d\ude00",
          "tab\t",
          "nul\u0000",
          "del\u007f");
  private static final List<String> SPACES = List.of(" ", "\n", "\t", "\r\n", "  ");

  private final SplittableRandom random;

  HostileDocuments(SplittableRandom random) {
    this.random = random;
  }

  byte[] next() {
    StringBuilder out = new StringBuilder();
    space(out);
    object(out, NAMES, 0);
    space(out);
    if (oneIn(40)) {
      out.append(pick(List.of("}", "x", "{}", "\u0000", "1")));
    }
    byte[] source = out.toString().getBytes(StandardCharsets.UTF_8);
    if (oneIn(12)) {
      source[random.nextInt(source.length)] = (byte) random.nextInt(256);
    }
    return oneIn(40) ? Arrays.copyOf(source, random.nextInt(source.length)) : source;
  }

  private boolean oneIn(int count) {
    return random.nextInt(count) == 0;
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private void space(StringBuilder out) {
    if (oneIn(20)) {
      out.append(pick(SPACES));
    }
  }

  /** Mostly in the order of the mapping, sometimes in any order and with duplicates. */
  private void object(StringBuilder out, List<String> names, int depth) {
    out.append('{');
    space(out);
    boolean ordered = !oneIn(5);
    String separator = "";
    int count = random.nextInt(7);
    for (int i = 0; i < count; i++) {
      int position =
          ordered
              ? i * names.size() / count + random.nextInt(Math.max(1, names.size() / count))
              : random.nextInt(names.size());
      String name = oneIn(40) ? pick(RARE_NAMES) : names.get(Math.min(position, names.size() - 1));
      out.append(separator).append('"').append(name).append('"');
      space(out);
      out.append(':');
      space(out);
      value(out, name, depth);
      space(out);
      separator = oneIn(300) ? "" : ",";
    }
    out.append('}');
  }

  private void value(StringBuilder out, String name, int depth) {
    if (oneIn(30)) {
      out.append("null");
    } else if (depth < 5 && oneIn(12)) {
      list(out, name, depth);
    } else if (name.equals("obj") && !oneIn(10)) {
      object(out, List.of("n", "inner"), depth + 1);
    } else if (name.equals("inner")) {
      object(out, List.of("s"), depth + 1);
    } else if (name.equals("point") && !oneIn(4)) {
      out.append('[').append(pick(NUMBERS)).append(',').append(pick(NUMBERS)).append(']');
    } else {
      scalar(out, name);
    }
  }

  private void list(StringBuilder out, String name, int depth) {
    out.append('[');
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      out.append(i == 0 ? "" : ",");
      space(out);
      value(out, name, depth + 1);
    }
    out.append(']');
  }

  private void scalar(StringBuilder out, String name) {
    switch (oneIn(8) ? "any" : name) {
      case "long", "int", "short", "byte", "n", "values", "indexed", "many" ->
          out.append(random.nextInt(-100, 100));
      case "double", "float", "half", "scaled" ->
          out.append(random.nextInt(-1000, 1000)).append('.').append(random.nextInt(10_000));
      case "bool" -> out.append(random.nextBoolean());
      case "day" -> out.append("\"2015-0").append(random.nextInt(10)).append("-01 10:11:12\"");
      case "date" -> out.append("\"2015-0").append(random.nextInt(10)).append("-01T10:11:12Z\"");
      case "kw", "stored", "lower", "text", "s" -> text(out);
      default -> {
        switch (random.nextInt(6)) {
          case 0, 1 -> out.append(pick(NUMBERS));
          case 2 -> out.append(pick(List.of("true", "false", "nul", "True", "{}", "[]", "tru")));
          default -> text(out);
        }
      }
    }
  }

  private void text(StringBuilder out) {
    out.append('"').append(pick(TEXTS)).append('"');
  }
}
