package io.varve.load;

import java.util.SplittableRandom;

/** Generates text in which, as in real text, some words are frequent and most are rare. */
final class Prose {

  private static final int WORDS = 12_000;
  private static final int ARTICLE_WORDS = 600;
  private static final String[] SYLLABLES = {
    "ta", "re", "con", "pro", "mi", "na", "lo", "si", "ber", "gen", "the", "in", "al", "ic", "ex",
    "ven", "tor", "pha", "cyt", "osis", "ated", "ing", "ment", "al", "er", "um", "is", "or"
  };
  private static final String[] COUNTRIES = {
    "United States", "Germany", "France", "India", "Brazil", "Japan", "Spain", "Poland"
  };
  private static final String[] AGENTS = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.2",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "curl/8.5.0"
  };

  private Prose() {}

  /** Appends the word with this rank. A rank always has the same word. */
  private static void word(StringBuilder out, int rank) {
    SplittableRandom letters = new SplittableRandom(rank);
    int syllables = rank < 100 ? 1 : 2 + letters.nextInt(3);
    for (int i = 0; i < syllables; i++) {
      out.append(SYLLABLES[letters.nextInt(SYLLABLES.length)]);
    }
  }

  /** Draws a rank from a Zipf distribution. */
  private static int rank(SplittableRandom random) {
    return (int) Math.pow(WORDS, random.nextDouble()) - 1;
  }

  static void article(StringBuilder out, SplittableRandom random, long number) {
    out.append("{\"name\":\"3_Biotech_2015_Dec_").append(number * 37 % 100_000);
    out.append("\",\"journal\":\"");
    word(out, 200 + random.nextInt(300));
    out.append("\",\"date\":\"2015 Dec ").append(1 + random.nextInt(28));
    out.append("\",\"volume\":\"")
        .append(1 + random.nextInt(40))
        .append("(Suppl 1)\",\"issue\":\"");
    out.append(1 + random.nextInt(900)).append("-").append(900 + random.nextInt(90));
    out.append("\",\"accession\":\"PMC").append(3_000_000 + number).append("\",\"timestamp\":\"");
    Shape.dateTime(out, 1_400_000_000L + random.nextInt(90_000_000));
    out.append("\",\"body\":\"");
    int words = ARTICLE_WORDS / 2 + random.nextInt(ARTICLE_WORDS);
    for (int i = 0; i < words; i++) {
      word(out, rank(random));
      out.append(random.nextInt(14) == 0 ? ".\\n" : " ");
    }
    out.append("\"}");
  }

  /** Every third post is a question, and the next two answer it. */
  static void post(StringBuilder out, SplittableRandom random, long number) {
    long question = number - number % 3;
    boolean asks = number == question;
    out.append("{\"user\":\"").append((int) Math.abs(Shape.gaussian(random) * 40_000));
    out.append("\",\"creationDate\":\"");
    StringBuilder time = new StringBuilder();
    Shape.dateTime(time, 1_220_000_000L + number * 7);
    out.append(time.toString().replace(' ', 'T')).append(".").append(100 + random.nextInt(900));
    out.append("\",\"type\":\"").append(asks ? "question" : "answer");
    if (asks) {
      out.append("\",\"qid\":\"").append(number).append("\",\"title\":\"");
      words(out, random, 4 + random.nextInt(9));
      out.append("\",\"acceptedAnswerId\":\"").append(number + 1).append("\",\"tag\":[\"");
      word(out, (int) Math.pow(2_000, random.nextDouble()) + 100);
      out.append("\",\"");
      word(out, (int) Math.pow(2_000, random.nextDouble()) + 100);
      out.append("\"]");
    } else {
      out.append("\",\"questionId\":\"").append(question).append('"');
    }
    out.append(",\"body\":\"<p>");
    words(out, random, 40 + random.nextInt(180));
    out.append("</p>\"}");
  }

  private static void words(StringBuilder out, SplittableRandom random, int count) {
    for (int i = 0; i < count; i++) {
      word(out.append(i == 0 ? "" : " "), rank(random));
    }
  }

  static void event(StringBuilder out, SplittableRandom random, long number) {
    int client = (int) Math.abs(Shape.gaussian(random) * 30_000);
    String address = (client * 7 % 223 + 1) + "." + client / 256 % 256 + "." + client % 256 + ".7";
    int page = (int) Math.abs(Shape.gaussian(random) * 800);
    String request = "/blog/" + (page % 7) + "/entry-" + page + (page % 3 == 0 ? "?utm=feed" : "");
    int status = random.nextInt(12) == 0 ? 404 : random.nextInt(9) == 0 ? 304 : 200;
    long bytes = status == 304 ? 0 : (long) Math.exp(Shape.gaussian(random) * 1.3 + 9);
    String agent = AGENTS[random.nextInt(AGENTS.length)];
    StringBuilder time = new StringBuilder();
    Shape.dateTime(time, 1_490_000_000L + number / 5);
    String at = time.toString().replace(' ', 'T') + "." + (100 + random.nextInt(900)) + "Z";
    out.append("{\"@timestamp\":\"").append(at).append("\",\"message\":\"").append(address);
    out.append(" - - [").append(at).append("] \\\"GET ").append(request).append(" HTTP/1.1\\\" ");
    out.append(status).append(' ').append(bytes).append("\",\"agent\":\"").append(agent);
    out.append("\",\"bytes\":").append(bytes).append(",\"clientip\":\"").append(address);
    out.append("\",\"httpversion\":\"1.1\",\"referrer\":\"");
    out.append(random.nextInt(3) == 0 ? "-" : "http://www.example.org/blog/" + page % 50);
    out.append("\",\"request\":\"").append(request).append("\",\"response\":").append(status);
    out.append(",\"verb\":\"GET\",\"tags\":[\"web\"");
    out.append(random.nextInt(4) == 0 ? ",\"cached\"" : "")
        .append(status == 404 ? ",\"missing\"" : "");
    out.append("],\"geoip\":{\"country_name\":\"").append(COUNTRIES[client % COUNTRIES.length]);
    out.append('"');
    if (client % 4 != 0) {
      out.append(",\"city_name\":\"");
      word(out, 300 + client % 400);
      Shape.point(out.append("\",\"location\":["), new SplittableRandom(client));
      out.append(']');
    }
    out.append("},\"useragent\":{\"name\":\"").append(agent, 0, agent.indexOf('/'));
    out.append("\",\"os\":\"os").append(agent.length() % 5).append("\"}}");
  }
}
