package io.varve.load;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Generates documents that resemble well-known corpora. The same seed and number produce the same
 * document on every machine.
 */
public enum Shape {
  /** nyc_taxis: 21 fields of numbers, dates, points and short keywords, about 480 bytes. */
  TAXIS(
      """
      {"dynamic":"strict","properties":{"vendor_id":{"type":"keyword"},
       "pickup_datetime":{"type":"date","format":"yyyy-MM-dd HH:mm:ss"},
       "dropoff_datetime":{"type":"date","format":"yyyy-MM-dd HH:mm:ss"},
       "passenger_count":{"type":"integer"},"trip_distance":{"type":"scaled_float","scaling_factor":100},
       "pickup_location":{"type":"geo_point"},"dropoff_location":{"type":"geo_point"},
       "rate_code_id":{"type":"keyword"},"store_and_fwd_flag":{"type":"keyword"},"payment_type":{"type":"keyword"},
       "fare_amount":{"type":"scaled_float","scaling_factor":100},"extra":{"type":"scaled_float","scaling_factor":100},
       "mta_tax":{"type":"scaled_float","scaling_factor":100},"tip_amount":{"type":"scaled_float","scaling_factor":100},
       "tolls_amount":{"type":"scaled_float","scaling_factor":100},
       "improvement_surcharge":{"type":"scaled_float","scaling_factor":100},
       "ehail_fee":{"type":"scaled_float","scaling_factor":100},"trip_type":{"type":"keyword"},
       "cab_color":{"type":"keyword"},"total_amount":{"type":"scaled_float","scaling_factor":100}}}
      """) {
    @Override
    void append(StringBuilder out, SplittableRandom random, long number) {
      long pickup = 1_420_070_400L + number * 3 + random.nextInt(60);
      double distance = Math.min(40, Math.exp(gaussian(random) * 0.9 + 0.6));
      long fareCents = Math.round((2.5 + distance * 2.6 + random.nextDouble() * 2) * 2) * 50;
      long tipCents =
          random.nextInt(10) < 4 ? 0 : Math.round(fareCents * (0.1 + random.nextDouble() * 0.15));
      long tollCents = random.nextInt(20) == 0 ? 554 : 0;
      long extraCents = random.nextInt(3) * 50L;
      out.append("{\"vendor_id\":\"")
          .append(1 + random.nextInt(2))
          .append("\",\"pickup_datetime\":\"");
      dateTime(out, pickup);
      out.append("\",\"dropoff_datetime\":\"");
      dateTime(out, pickup + (long) (distance * 180 * (0.6 + random.nextDouble())));
      out.append("\",\"passenger_count\":")
          .append(random.nextInt(10) < 7 ? 1 : 1 + random.nextInt(6));
      cents(out.append(",\"trip_distance\":"), Math.round(distance * 100));
      point(out.append(",\"pickup_location\":["), random);
      point(out.append("],\"dropoff_location\":["), random);
      out.append("],\"rate_code_id\":\"")
          .append(random.nextInt(40) == 0 ? 1 + random.nextInt(6) : 1);
      out.append("\",\"store_and_fwd_flag\":\"").append(random.nextInt(100) == 0 ? 'Y' : 'N');
      out.append("\",\"payment_type\":\"").append(tipCents > 0 ? 1 : 1 + random.nextInt(4));
      cents(out.append("\",\"fare_amount\":"), fareCents);
      cents(out.append(",\"extra\":"), extraCents);
      cents(out.append(",\"mta_tax\":0.5,\"tip_amount\":"), tipCents);
      cents(out.append(",\"tolls_amount\":"), tollCents);
      out.append(",\"improvement_surcharge\":0.3,\"ehail_fee\":0.0,\"trip_type\":\"")
          .append(1 + random.nextInt(2));
      out.append("\",\"cab_color\":\"").append(random.nextInt(8) == 0 ? "green" : "yellow");
      cents(out.append("\",\"total_amount\":"), fareCents + extraCents + 80 + tipCents + tollCents);
      out.append('}');
    }
  },

  /** http_logs: time, address, request, status and size, about 130 bytes. */
  LOGS(
      """
      {"dynamic":"strict","properties":{"@timestamp":{"type":"date","format":"strict_date_optional_time||epoch_second"},
       "clientip":{"type":"ip"},"request":{"type":"text","fields":{"raw":{"type":"keyword","ignore_above":256}}},
       "status":{"type":"integer"},"size":{"type":"integer"}}}
      """) {
    @Override
    void append(StringBuilder out, SplittableRandom random, long number) {
      int host = (int) Math.abs(gaussian(random) * 20_000);
      int page = (int) Math.abs(gaussian(random) * 1_500);
      int draw = random.nextInt(100);
      int status = draw < 80 ? 200 : draw < 95 ? 304 : draw < 99 ? 404 : 500;
      out.append("{\"@timestamp\":").append(893_964_617L + number / 3);
      out.append(",\"clientip\":\"")
          .append(host * 7 % 223 + 1)
          .append('.')
          .append(host / 256 % 256);
      out.append('.').append(host % 256).append(".0\",\"request\":\"");
      out.append(random.nextInt(50) == 0 ? "HEAD " : "GET ");
      switch (random.nextInt(4)) {
        case 0 -> out.append("/images/s").append(page).append(".gif");
        case 1 -> out.append("/english/news/n").append(page).append(".html");
        case 2 -> out.append("/english/teams/team").append(page % 32).append(".htm");
        default -> out.append("/index.html");
      }
      out.append(random.nextInt(3) == 0 ? " HTTP/1.1" : " HTTP/1.0")
          .append("\",\"status\":")
          .append(status);
      long size = status == 304 ? 0 : (long) Math.min(2e6, Math.exp(gaussian(random) * 1.6 + 8));
      out.append(",\"size\":").append(size).append('}');
    }
  },

  /** pmc: articles with a few short fields and a text of about 4 KB. */
  ARTICLES(
      """
      {"dynamic":"strict","properties":{"name":{"type":"keyword"},"journal":{"type":"keyword"},
       "date":{"type":"keyword"},"volume":{"type":"keyword"},"issue":{"type":"keyword"},"accession":{"type":"keyword"},
       "timestamp":{"type":"date","format":"yyyy-MM-dd HH:mm:ss"},"body":{"type":"text"}}}
      """) {
    @Override
    void append(StringBuilder out, SplittableRandom random, long number) {
      Prose.article(out, random, number);
    }
  },

  /** stackoverflow: questions and answers with tags, about 1 KB. */
  POSTS(
      """
      {"dynamic":"strict","properties":{"user":{"type":"keyword"},"creationDate":{"type":"date"},
       "title":{"type":"text"},"body":{"type":"text"},"tag":{"type":"keyword"},"type":{"type":"keyword"},
       "qid":{"type":"keyword"},"questionId":{"type":"keyword"},"acceptedAnswerId":{"type":"keyword"}}}
      """) {
    @Override
    void append(StringBuilder out, SplittableRandom random, long number) {
      Prose.post(out, random, number);
    }
  },

  /** eventdata: web server requests with details about the client, about 600 bytes. */
  EVENTS(
      """
      {"dynamic":"strict","properties":{"@timestamp":{"type":"date"},"message":{"type":"text"},
       "agent":{"type":"keyword"},"bytes":{"type":"integer"},"clientip":{"type":"ip"},"httpversion":{"type":"keyword"},
       "referrer":{"type":"keyword"},"request":{"type":"keyword"},"response":{"type":"short"},"verb":{"type":"keyword"},
       "tags":{"type":"keyword"},"geoip":{"properties":{"country_name":{"type":"keyword"},"city_name":{"type":"keyword"},
       "location":{"type":"geo_point"}}},"useragent":{"properties":{"name":{"type":"keyword"},"os":{"type":"keyword"}}}}}
      """) {
    @Override
    void append(StringBuilder out, SplittableRandom random, long number) {
      Prose.event(out, random, number);
    }
  },

  /** geopoint: one point, about 40 bytes. */
  POINTS(
      """
      {"dynamic":"strict","properties":{"location":{"type":"geo_point"}}}
      """) {
    @Override
    void append(StringBuilder out, SplittableRandom random, long number) {
      point(out.append("{\"location\":["), random);
      out.append("]}");
    }
  },

  /**
   * A number and 4 KB of nearly incompressible text, for shards that are large but cheap to index.
   */
  BLOB(
      """
      {"dynamic":"strict","properties":{"n":{"type":"long"},
       "payload":{"type":"keyword","index":false,"doc_values":false}}}
      """) {
    @Override
    void append(StringBuilder out, SplittableRandom random, long number) {
      out.append("{\"n\":").append(number).append(",\"payload\":\"");
      for (int word = 0; word < BLOB_CHARACTERS / 10; word++) {
        long bits = random.nextLong();
        for (int i = 0; i < 10; i++) {
          out.append(SIX_BITS.charAt((int) (bits >>> (6 * i)) & 63));
        }
      }
      out.append("\"}");
    }
  },
  /** Records whose words, numbers and fields change every 2,000 documents. */
  DRIFTING(
      """
      {"dynamic":false,"properties":{"time":{"type":"date","format":"epoch_millis"},"host":{"type":"keyword"}}}
      """) {
    @Override
    void append(StringBuilder out, SplittableRandom random, long number) {
      long era = number / 2_000;
      SplittableRandom ofEra = new SplittableRandom(era);
      out.append("{\"time\":").append(1_700_000_000_000L + number * 377 + random.nextInt(300));
      out.append(",\"host\":\"");
      word(out, ofEra);
      out.append(random.nextInt(9)).append("\",\"");
      for (int field = 0; field < 6; field++) {
        word(out, ofEra);
        out.append("\":\"");
        SplittableRandom value =
            new SplittableRandom(era * 1_000 + field * 100L + random.nextInt(20));
        for (int words = 1 + value.nextInt(5); words > 0; words--) {
          word(out, value);
          out.append(' ');
        }
        out.append(random.nextInt(10_000)).append("\",\"");
      }
      out.append("n\":").append(random.nextInt((int) (era + 2) * 1_000)).append('}');
    }
  },
  /** Deep JSON whose structure differs from document to document. */
  IRREGULAR(
      """
      {"dynamic":false,"properties":{"id":{"type":"long"}}}
      """) {
    @Override
    void append(StringBuilder out, SplittableRandom random, long number) {
      out.append("{\"id\":").append(number);
      members(out, random, 4);
      out.append('}');
    }

    private void members(StringBuilder out, SplittableRandom random, int depth) {
      for (int fields = 1 + random.nextInt(5); fields > 0; fields--) {
        out.append(",\"");
        word(out, new SplittableRandom(random.nextInt(60)));
        out.append(fields).append("\":");
        switch (random.nextInt(depth > 0 ? 5 : 3)) {
          case 0 -> out.append(random.nextInt(100_000));
          case 1 -> out.append(random.nextBoolean());
          case 2 -> {
            word(out.append('"'), new SplittableRandom(random.nextInt(3_000)));
            out.append('"');
          }
          case 3 -> {
            out.append("{\"k\":").append(random.nextInt(10));
            members(out, random, depth - 1);
            out.append('}');
          }
          default -> {
            out.append("[{\"k\":1");
            members(out, random, depth - 1);
            out.append("},").append(random.nextInt(1_000)).append(']');
          }
        }
      }
    }
  };

  private static final int BLOB_CHARACTERS = 4_000;
  private static final String SIX_BITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  private final String mapping;

  Shape(String mapping) {
    this.mapping = mapping;
  }

  public String mapping() {
    return mapping;
  }

  /** Appends document {@code number} as one line of JSON, without a newline. */
  abstract void append(StringBuilder out, SplittableRandom random, long number);

  /** Document {@code number} as one line of JSON, the same on each call. */
  public String document(long number) {
    StringBuilder line = new StringBuilder();
    append(line, new SplittableRandom(number), number);
    return line.toString();
  }

  /** Appends a random word. */
  static void word(StringBuilder out, SplittableRandom random) {
    for (int letters = 3 + random.nextInt(8); letters > 0; letters--) {
      out.append((char) ('a' + random.nextInt(26)));
    }
  }

  static Shape of(String name) {
    return Shape.valueOf(name.toUpperCase(Locale.ROOT));
  }

  /**
   * Approximates a normal distribution by the sum of twelve uniform draws, whose result is
   * identical on every machine.
   */
  static double gaussian(SplittableRandom random) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
      sum += random.nextDouble();
    }
    return sum;
  }

  private static void cents(StringBuilder out, long cents) {
    out.append(cents / 100).append('.').append(cents / 10 % 10).append(cents % 10);
  }

  static void point(StringBuilder out, SplittableRandom random) {
    micro(out, -73_950_000 + Math.round(gaussian(random) * 40_000));
    micro(out.append(','), 40_750_000 + Math.round(gaussian(random) * 35_000));
  }

  private static void micro(StringBuilder out, long millionths) {
    String digits = String.format(Locale.ROOT, "%06d", Math.abs(millionths) % 1_000_000);
    out.append(millionths < 0 ? "-" : "")
        .append(Math.abs(millionths) / 1_000_000)
        .append('.')
        .append(digits);
  }

  static void dateTime(StringBuilder out, long epochSecond) {
    String iso = LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC).toString();
    out.append(iso, 0, 10).append(' ').append(iso, 11, iso.length());
    if (iso.length() == 16) {
      out.append(":00");
    }
  }
}
