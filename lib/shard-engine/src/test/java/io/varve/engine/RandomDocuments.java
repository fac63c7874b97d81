package io.varve.engine;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random documents of a few kinds, with values in every notation. */
final class RandomDocuments {
  static final String MAPPING =
      """
      {"dynamic":false,"properties":{"long":{"type":"long"},"word":{"type":"keyword","ignore_above":8},
       "text":{"type":"text","fields":{"raw":{"type":"keyword","ignore_above":12}}},"double":{"type":"double"},
       "float":{"type":"float"},"cents":{"type":"scaled_float","scaling_factor":100},"yes":{"type":"boolean"},
       "date":{"type":"date"},"nanos":{"type":"date_nanos"},"ip":{"type":"ip"},"point":{"type":"geo_point"},
       "object":{"properties":{"a":{"type":"integer"},"b":{"type":"keyword"}}},
       "nested":{"type":"nested","properties":{"n":{"type":"long"},"w":{"type":"keyword"}}}}}
      """;

  private final Random random;

  RandomDocuments(Random random) {
    this.random = random;
  }

  int number(int below) {
    return random.nextInt(below);
  }

  String document() {
    List<String> fields = new ArrayList<>();
    fields.add("\"long\":" + whole());
    String[] names = {
      "word",
      "text",
      "double",
      "float",
      "cents",
      "yes",
      "date",
      "nanos",
      "ip",
      "point",
      "object",
      "nested",
      "unmapped"
    };
    for (int i = 0, n = 1 + number(3), first = number(names.length); i < n; i++) {
      String name = names[(first + i) % names.length];
      fields.add("\"" + name + "\":" + value(name));
    }
    return "{" + String.join(number(20) == 0 ? " , " : ",", fields) + "}";
  }

  private String value(String name) {
    int form = number(12);
    if (form == 0) {
      return "null";
    }
    if (form < 3 && !name.equals("point")) {
      List<String> values = new ArrayList<>();
      for (int i = number(form == 1 ? 4 : 12); i > 0; i--) {
        values.add(one(name));
      }
      return "[" + String.join(",", values) + "]";
    }
    return one(name);
  }

  private String one(String name) {
    return switch (name) {
      case "word", "text" -> text();
      case "double", "float" -> decimal();
      case "cents" -> number(3) == 0 ? decimal() : (number(1000) - 500) / 100.0 + "";
      case "yes" -> number(2) == 0 ? "true" : "false";
      case "date" -> date(4);
      case "nanos" -> date(10);
      case "ip" ->
          number(2) == 0 ? "\"10.0.0." + number(256) + "\"" : "\"fe80::" + number(10) + "\"";
      case "point" -> point();
      case "object" -> "{\"a\":" + number(100) + ",\"b\":" + text() + "}";
      case "nested" -> "{\"n\":" + whole() + ",\"w\":" + text() + "}";
      default -> number(2) == 0 ? "{\"x\":[" + text() + "]}" : decimal();
    };
  }

  private String whole() {
    return switch (number(4)) {
      case 0 -> Long.toString(random.nextLong());
      case 1 -> "\"" + number(100) + "\"";
      default -> Integer.toString(number(1000));
    };
  }

  private String decimal() {
    return switch (number(6)) {
      case 0 -> Double.toString(random.nextGaussian());
      case 1 -> Float.toString((float) random.nextGaussian());
      case 2 -> number(100) + "." + number(10) + "0";
      case 3 -> number(9) + "e" + number(10);
      case 4 -> Double.toString(random.nextDouble() * 1e-6);
      default -> Integer.toString(number(100));
    };
  }

  private String text() {
    StringBuilder text = new StringBuilder("\"");
    for (int i = number(14); i > 0; i--) {
      text.append(
          switch (number(24)) {
            case 0 -> "\\u00e4";
            case 1 -> "ä";
            case 2 -> "\\n";
            case 3 -> "\\\"";
            case 4 -> "𝄞";
            case 5 -> "\\u001F";
            case 6 -> "]";
            case 7 -> ",";
            default -> String.valueOf((char) ('a' + number(3)));
          });
    }
    return text.append('"').toString();
  }

  private String date(int mostDigits) {
    String time =
        LocalDateTime.ofEpochSecond(number(2_000_000_000), 0, ZoneOffset.UTC)
            .format(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss"));
    StringBuilder fraction = new StringBuilder();
    for (int i = number(mostDigits); i > 0; i--) {
      fraction.append(fraction.isEmpty() ? "." : "").append(number(10));
    }
    return switch (number(5)) {
      case 0 -> Long.toString(number(2_000_000_000) * 1000L);
      case 1 -> "\"" + time + fraction + "Z\"";
      case 2 -> "\"" + time + fraction + "-03:30\"";
      case 3 -> "\"" + time.substring(0, 10) + "\"";
      default -> "\"" + time + "\"";
    };
  }

  private String point() {
    String lat = Double.toString(number(180_000_000) / 1e6 - 90);
    String lon =
        number(2) == 0
            ? Double.toString((float) (random.nextDouble() * 360 - 180))
            : Double.toString(number(360_000) / 1e3 - 180);
    return switch (number(4)) {
      case 0 -> "[" + lon + "," + lat + "]";
      case 1 -> "{\"lat\":" + lat + ",\"lon\":" + lon + "}";
      case 2 -> "\"" + lat + "," + lon + "\"";
      default -> "[[" + lon + "," + lat + "],[1,2]]";
    };
  }
}
