package io.varve.clients.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.events.Json;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Creates a request from an operation, a seed request and random changes. Most requests remain
 * valid enough to pass the first checks.
 *
 * <p>It avoids requests that would only slow down the run: indices with hundreds of shards, waits
 * longer than {@link #LONGEST_WAIT_SECONDS}, long-lived contexts.
 */
final class RequestFuzzer {

  private static final List<String> INDICES =
      List.of("books", "books", "books", "books", "test", "test", "test_1", "other", "missing");
  private static final List<String> IDS = List.of("1", "2", "3", "x");
  private static final Pattern MANY_SHARDS =
      Pattern.compile("(number_of_(?:routing_)?shards\"?\\s*[:=]\\s*\"?)\\d{1,4}\\b");
  private static final Pattern LONG_LIFE =
      Pattern.compile("((?:keep_alive|scroll)\"\\s*:\\s*\")[^\"]*\"");
  private static final int MOST_BYTES = 1 << 20;

  /** The longest wait that a request asks for. A request that takes much longer hangs. */
  static final int LONGEST_WAIT_SECONDS = 5;

  /** Parameters that limit the duration of a request. */
  private static final Pattern WAIT = Pattern.compile("timeout|.*_timeout|interval");

  /** Parameters with a default that exceeds this limit. */
  private static final Set<String> LONG_BY_DEFAULT = Set.of("timeout", "wait_for_timeout");

  /** Never given a low rate, which would make an operation on many documents wait for minutes. */
  private static final String PACE = "requests_per_second";

  /** Share of requests that try to exhaust memory. */
  private static final double HOSTILE = 0.03;

  private final List<Operation> operations;
  private final Seeds seeds;
  private final List<Start> withBody = new ArrayList<>();

  /** A request of OpenSearch's tests, if any, and its operation. */
  private record Start(Operation operation, Seeds.@Nullable Call call) {}

  RequestFuzzer(List<Operation> operations, Seeds seeds) {
    this.operations = operations;
    this.seeds = seeds;
    for (Operation operation : operations) {
      for (Seeds.Call call : seeds.of(operation.method(), operation.path())) {
        if (call.body() != null) {
          withBody.add(new Start(operation, call));
        }
      }
    }
  }

  /**
   * Returns a meaningful request in most cases, and otherwise a random operation, each equally
   * likely.
   */
  private Start start(Dice dice) {
    if (dice.chance(0.6)) {
      return dice.oneOf(withBody);
    }
    Operation operation = dice.oneOf(operations);
    List<Seeds.Call> calls = seeds.of(operation.method(), operation.path());
    return new Start(operation, calls.isEmpty() ? null : dice.oneOf(calls));
  }

  FuzzRequest next(Dice dice) {
    if (dice.chance(HOSTILE)) {
      return HostileSearches.next(dice);
    }
    Start start = start(dice);
    Operation operation = start.operation();
    Seeds.@Nullable Call seed = start.call();
    String target = path(operation, seed, dice) + query(operation, seed, dice);
    Object body = seed == null ? null : seed.body();
    byte[] bytes = body(body == null ? operation.example() : body, operation.lines(), dice);
    return new FuzzRequest(operation.method(), target, headers(operation, bytes, dice), bytes);
  }

  private static String path(Operation operation, Seeds.@Nullable Call seed, Dice dice) {
    StringBuilder path = new StringBuilder();
    for (String segment : operation.path().substring(1).split("/", -1)) {
      path.append('/');
      if (!segment.startsWith("{")) {
        path.append(segment);
        continue;
      }
      String name = segment.substring(1, segment.length() - 1);
      path.append(inPath(value(name, seed, dice), dice));
    }
    return path.toString();
  }

  private static String value(String name, Seeds.@Nullable Call seed, Dice dice) {
    if (dice.chance(0.06)) {
      return OddValues.text(dice);
    }
    String known = seed == null ? null : seed.parameters().get(name);
    boolean own = known == null || dice.chance(0.5);
    return switch (name) {
      case "index", "target", "new_index" -> own ? dice.oneOf(INDICES) : known;
      case "id" -> own ? dice.oneOf(IDS) : known;
      default -> known == null ? dice.oneOf("a", "_all", "1", "docs") : known;
    };
  }

  private static String inPath(String value, Dice dice) {
    if (dice.chance(0.02)) {
      return dice.oneOf("%", "%zz", "%c3%28", "%00", "%2F", "%2e%2e", ";a=b", "%ed%a0%80", "a%20b");
    }
    String encoded = URLEncoder.encode(value, UTF_8).replace("+", "%20");
    return encoded.isEmpty() || encoded.equals(".") || encoded.equals("..") ? "%20" : encoded;
  }

  private static String query(Operation operation, Seeds.@Nullable Call seed, Dice dice) {
    Map<String, String> query = new LinkedHashMap<>();
    if (seed != null) {
      seed.parameters()
          .forEach((name, value) -> {
            if (operation.query().containsKey(name) && dice.chance(0.8)) {
              query.put(name, value);
            }
          });
    }
    operation
        .query()
        .forEach((name, kind) -> {
          if (dice.chance(1.2 / operation.query().size())) {
            query.put(name, parameter(kind, dice));
          }
        });
    keepShort(operation, query, dice);
    if (dice.chance(0.02)) {
      query.put(dice.oneOf("unknown", "Size", "q ", "", "sizee"), OddValues.text(dice));
    }
    StringBuilder text = new StringBuilder();
    query.forEach((name, value) ->
        text.append(text.isEmpty() ? '?' : '&')
            .append(encoded(name, dice))
            .append(dice.chance(0.01) ? "" : "=" + encoded(value, dice)));
    return text.toString();
  }

  private static String encoded(String text, Dice dice) {
    String encoded = URLEncoder.encode(text, UTF_8);
    return dice.chance(0.01) ? encoded + dice.oneOf("%", "%g1", "%ff", "&&", "%00") : encoded;
  }

  private static String parameter(String kind, Dice dice) {
    if (dice.chance(0.3)) {
      return OddValues.text(dice);
    }
    return switch (kind) {
      case "boolean" -> dice.oneOf("true", "false", "");
      case "integer" ->
          dice.oneOf(
              "0",
              "1",
              "2",
              "10",
              "-1",
              "2147483647",
              "9223372036854775807",
              "-9223372036854775808");
      case "time" -> dice.oneOf("1ms", "100ms", "1s", "0", "-1");
      default -> dice.oneOf("title", "pages", "_all", "true", "1", "*", "all", "open", "a,b");
    };
  }

  private static void keepShort(Operation operation, Map<String, String> query, Dice dice) {
    for (String name : operation.query().keySet()) {
      boolean given = query.containsKey(name) && WAIT.matcher(name).matches();
      if (given || LONG_BY_DEFAULT.contains(name)) {
        query.put(name, wait(dice));
      }
    }
    query.computeIfPresent(PACE, (name, value) -> dice.oneOf("-1", "0", "x", "", "1e9", "100000"));
    for (String life : List.of("scroll", "keep_alive")) {
      query.computeIfPresent(life, (name, value) -> dice.oneOf("1s", "2s", "0", "-1s", "x", "99d"));
    }
    if (query.containsKey("scroll") || operation.path().contains("point_in_time")) {
      // The response must include ids, so that contexts can be closed.
      query.remove("filter_path");
    }
  }

  private static String wait(Dice dice) {
    if (dice.chance(0.1)) {
      return dice.oneOf("0", "-1", "x", "", "1");
    }
    return dice.chance(0.02) ? LONGEST_WAIT_SECONDS + "s" : dice.oneOf("1ms", "20ms", "100ms");
  }

  private byte[] body(@Nullable Object seed, boolean lines, Dice dice) {
    if (seed == null) {
      return dice.chance(0.95) ? new byte[0] : OddValues.text(dice).getBytes(UTF_8);
    }
    List<@Nullable Object> parts = new ArrayList<>();
    for (Object part : seed instanceof List<?> list && lines ? list : Arrays.asList(seed)) {
      parts.addAll(
          lines && part instanceof String s ? Arrays.asList(s.split("\n")) : List.of(part));
    }
    StringBuilder text = new StringBuilder();
    for (Object part : parts) {
      Object meant = tree(part);
      Object tree = dice.chance(0.5) ? FieldNames.replaced(meant, dice) : meant;
      int times = dice.chance(0.15) ? 0 : 1 + dice.below(lines ? 2 : 3);
      boolean spoilt = !lines || dice.chance(0.5);
      Object changed = spoilt ? new TreeMutator(dice, seeds.bodies()).mutated(tree, times) : tree;
      text.append(JsonText.of(changed)).append(lines && !dice.chance(0.02) ? "\n" : "");
    }
    String tame = MANY_SHARDS.matcher(text).replaceAll("$12");
    tame = LONG_LIFE.matcher(tame).replaceAll("$12s\"");
    byte[] bytes = tame.getBytes(UTF_8);
    return spoilt(bytes.length > MOST_BYTES ? Arrays.copyOf(bytes, MOST_BYTES) : bytes, dice);
  }

  private static @Nullable Object tree(@Nullable Object part) {
    if (!(part instanceof String text)) {
      return part;
    }
    try {
      return Json.mapper().readValue(text, Object.class);
    } catch (JacksonException e) {
      return new OddValues.Raw(text);
    }
  }

  private static byte[] spoilt(byte[] bytes, Dice dice) {
    if (bytes.length == 0 || !dice.chance(0.12)) {
      return bytes;
    }
    int at = dice.below(bytes.length);
    return switch (dice.below(7)) {
      case 0 -> Arrays.copyOf(bytes, at);
      case 1 -> inserted(bytes, at, new byte[] {(byte) 0xc3, (byte) 0x28});
      case 2 -> inserted(bytes, at, new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80});
      case 3 -> inserted(bytes, 0, new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf});
      case 4 ->
          inserted(
              bytes, at, dice.oneOf("}", "]", ",", "\"", "\0", "//", "\n", "{").getBytes(UTF_8));
      case 5 -> inserted(bytes, bytes.length, "{\"a\":1} x".getBytes(UTF_8));
      default -> {
        byte[] flipped = bytes.clone();
        flipped[at] = (byte) dice.below(256);
        yield flipped;
      }
    };
  }

  private static byte[] inserted(byte[] bytes, int at, byte[] more) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + more.length);
    System.arraycopy(more, 0, longer, at, more.length);
    System.arraycopy(bytes, at, longer, at + more.length, bytes.length - at);
    return longer;
  }

  private static Map<String, String> headers(Operation operation, byte[] body, Dice dice) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (body.length > 0 || dice.chance(0.05)) {
      headers.put("Content-Type", operation.lines() ? "application/x-ndjson" : "application/json");
    }
    if (dice.chance(0.03)) {
      headers.put(
          "Content-Type",
          dice.oneOf(
              "application/json; charset=utf-16",
              "application/cbor",
              "application/smile",
              "application/yaml",
              "application/x-ndjson",
              "application/json",
              "text/plain",
              "application/",
              ";"));
    }
    if (dice.chance(0.01)) {
      headers.put("Content-Encoding", dice.oneOf("gzip", "deflate", "br", ""));
    }
    if (dice.chance(0.02)) {
      headers.put(
          "Accept",
          dice.oneOf(
              "application/yaml", "application/cbor", "application/smile", "text/html", "*"));
    }
    if (dice.chance(0.01)) {
      headers.put("X-Opaque-Id", dice.oneOf("a", "\u00e9", "x".repeat(300)));
    }
    return headers;
  }
}
