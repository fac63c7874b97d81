package io.varve.clients.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.events.Json;
import io.varve.standalone.RestAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Sends the requests that a seed produces for the numbers {@code 0 … count - 1}, and records what
 * no request may cause: a response with status 500, a missing response, or a response whose body
 * contradicts its status.
 *
 * <p>A number always produces the same request, but its result may depend on earlier requests.
 */
final class FuzzRun {

  /** Matches failures of shards and items, inside a response, that no request can justify. */
  private static final Pattern BUGS =
      Pattern.compile(
          "\"type\" ?: ?\"((?:null_pointer|class_cast|[a-z_]*index_out_of_bounds|stack_overflow_error"
              + "|out_of_memory_error|illegal_monitor_state|uncheckedio|unchecked_io"
              + "|assertion_error|negative_array_size|arithmetic|no_such_element|array_store"
              + "|concurrent_modification|unsupported_operation|buffer_underflow|date_time"
              + "|malformed_record|runtime|execution|exception|io)(?:_exception)?)\"");

  /**
   * Matches reasons that justify such a failure. As in OpenSearch, negative values in a percentiles
   * histogram, and features that an administrator disabled, are reported with one of these types.
   */
  private static final Pattern EXPLAINED =
      Pattern.compile(
          "is out of bounds for histogram|search.allow_expensive_queries' is set to false");

  private static final int WORKERS = 4;

  /** {@link HangWatch} decides which requests hang. */
  private static final int NO_TIMEOUT = 0;

  private static final int ROUND = 500;

  private final String url;
  private final RestAccess access;
  private final long seed;
  private final RequestFuzzer fuzzer;
  private final Map<String, String> findings = new ConcurrentHashMap<>();
  private final Map<Integer, AtomicLong> statuses = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> unavailable = new ConcurrentHashMap<>();
  private final Queue<String> scrolls = new ConcurrentLinkedQueue<>();
  private final Queue<String> points = new ConcurrentLinkedQueue<>();

  FuzzRun(String url, RestAccess access, long seed, RequestFuzzer fuzzer) {
    this.url = url;
    this.access = access;
    this.seed = seed;
    this.fuzzer = fuzzer;
  }

  /** Returns the first request for each kind of violation. */
  Map<String, String> findings() {
    return Map.copyOf(findings);
  }

  /** Returns counts by status, and the reasons given in 503 and 504 responses. */
  String summary() {
    return "seed " + seed + ", answers by status: " + new TreeMap<>(statuses) + " " + unavailable;
  }

  /**
   * Sends the requests {@code first … end - 1} in rounds; {@code prepare} restores the cluster
   * before each round.
   */
  void run(int first, int end, Runnable prepare) throws IOException, InterruptedException {
    for (int from = first; from < end; from += ROUND) {
      prepare.run();
      try (HangWatch hangs = new HangWatch(url, access)) {
        round(from, Math.min(end, from + ROUND), hangs);
        closeContexts(hangs);
      }
    }
    prepare.run();
  }

  private void round(int from, int to, HangWatch hangs) throws InterruptedException {
    AtomicLong next = new AtomicLong(from);
    try (ExecutorService workers = Executors.newFixedThreadPool(WORKERS)) {
      List<? extends Future<?>> running =
          IntStream.range(0, WORKERS)
              .mapToObj(w -> workers.submit(() -> work(next, to, hangs)))
              .toList();
      for (Future<?> worker : running) {
        worker.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the fuzzer itself failed", e);
    }
  }

  private void work(AtomicLong next, int to, HangWatch hangs) {
    try (RawConnection connection = new RawConnection(url, access, NO_TIMEOUT)) {
      for (long n = next.getAndIncrement(); n < to; n = next.getAndIncrement()) {
        send(connection, n, fuzzer.next(new Dice(seed, n)), hangs);
      }
    } catch (IOException e) {
      throw new IllegalStateException("a connection could not be closed", e);
    }
  }

  private void send(RawConnection connection, long number, FuzzRequest request, HangWatch hangs) {
    try {
      RawConnection.Reply reply = hangs.send(connection, request);
      statuses.computeIfAbsent(reply.status(), s -> new AtomicLong()).incrementAndGet();
      judge(number, request, reply);
    } catch (HangWatch.HangException e) {
      found(String.valueOf(e.getMessage()), number, request, "");
    } catch (IOException e) {
      found(
          "the connection broke: " + e.getMessage(),
          number,
          request,
          " after " + connection.previous());
    }
  }

  private void judge(long number, FuzzRequest request, RawConnection.Reply reply) {
    if (reply.status() >= 500) {
      String kind = kind(reply);
      if (reply.status() == 503 || reply.status() == 504) {
        unavailable.computeIfAbsent(kind, k -> new AtomicLong()).incrementAndGet();
      } else {
        found(kind, number, request, reply.text());
      }
    }
    if (request.method().equals("HEAD") || !reply.isText()) {
      return;
    }
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(reply.body()));
    } catch (CharacterCodingException e) {
      found("not UTF-8", number, request, reply.text());
    }
    Matcher bug = BUGS.matcher(reply.text());
    if (bug.find() && !EXPLAINED.matcher(reply.text()).find()) {
      found(reply.status() + " with " + bug.group(1), number, request, reply.text());
    }
    try {
      collectContexts(reply);
    } catch (JacksonException e) {
      found("not JSON: " + e.getOriginalMessage(), number, request, reply.text());
    }
  }

  private static String kind(RawConnection.Reply reply) {
    String text = reply.text();
    try {
      JsonNode error = Json.mapper().readTree(reply.body()).path("error");
      text = error.path("type").asString("") + ": " + error.path("reason").asString("");
    } catch (JacksonException e) {
      // The beginning of the body is enough.
    }
    return reply.status()
        + " "
        + text.substring(0, Math.min(text.length(), 160))
            .replaceAll("\\[[^\\[\\]]*]|`[^`]*`|\\d+", "#");
  }

  private void collectContexts(RawConnection.Reply reply) {
    String text = reply.text();
    if (text.startsWith("{")) {
      JsonNode answer = Json.mapper().readTree(reply.body());
      String scroll = answer.path("_scroll_id").asString("");
      String point = answer.path("pit_id").asString("");
      if (!scroll.isEmpty()) {
        scrolls.add(scroll);
      }
      if (!point.isEmpty()) {
        points.add(point);
      }
    }
  }

  private void found(String kind, long number, FuzzRequest request, String answer) {
    String shown =
        "number " + number + " of seed " + seed + ": " + request.shown() + "\n   -> " + answer;
    findings.putIfAbsent(kind, shown);
  }

  private void closeContexts(HangWatch hangs) {
    close("/_search/scroll", "scroll_id", scrolls, hangs);
    close("/_search/point_in_time", "pit_id", points, hangs);
  }

  private void close(String path, String key, Queue<String> ids, HangWatch hangs) {
    List<String> all = List.copyOf(ids);
    ids.clear();
    if (all.isEmpty()) {
      return;
    }
    byte[] body = Json.mapper().writeValueAsBytes(Map.of(key, all));
    FuzzRequest request =
        new FuzzRequest("DELETE", path, Map.of("Content-Type", "application/json"), body);
    try (RawConnection connection = new RawConnection(url, access, NO_TIMEOUT)) {
      send(connection, -1, request, hangs);
    } catch (IOException e) {
      throw new IllegalStateException("a connection could not be closed", e);
    }
  }
}
