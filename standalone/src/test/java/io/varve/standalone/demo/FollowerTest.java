package io.varve.standalone.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two servers answer with local checkpoints of the two shards of an index. */
class FollowerTest {

  private static final long MILLI = 1_000_000;

  private final List<HttpServer> servers = new ArrayList<>();
  private final AtomicLong nowNanos = new AtomicLong();

  private RestCalls answering(String... checkpoints) throws IOException {
    Deque<String> answers = new ArrayDeque<>(List.of(checkpoints));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/demo/_stats",
        exchange -> {
          String next = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
          byte[] body = stats(next.split(" ")).getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return new RestCalls("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private static String stats(String[] checkpoints) {
    StringBuilder shards = new StringBuilder();
    for (int shard = 0; shard < checkpoints.length; shard++) {
      shards
          .append(shard == 0 ? "" : ",")
          .append(
              "\"%d\":[{\"routing\":{\"primary\":false},\"seq_no\":{\"local_checkpoint\":0}},{\"routing\":{\"primary\":true},\"seq_no\":{\"local_checkpoint\":%s}}]"
                  .formatted(shard, checkpoints[shard]));
    }
    return "{\"indices\":{\"demo\":{\"shards\":{" + shards + "}}}}";
  }

  @AfterEach
  void stop() {
    servers.forEach(server -> server.stop(0));
  }

  @Test
  void theTimeIsTheOneAtWhichEveryShardHadReachedItsLeader() throws Exception {
    try (RestCalls leader = answering("9 4");
        RestCalls behind = answering("9", "9 3", "8 4", "9 4")) {
      long finishedNanos =
          new Follower(leader, behind, "demo")
              .awaitAll(
                  Duration.ofMinutes(1),
                  nowNanos::get,
                  millis -> nowNanos.addAndGet(millis * MILLI));

      assertThat(finishedNanos).isEqualTo(3 * 5 * MILLI);
    }
  }

  @Test
  void aFollowerThatNeverHasAllEndsTheWaitWithTheDifference() throws Exception {
    try (RestCalls leader = answering("9 4");
        RestCalls behind = answering("7 -1")) {
      Follower follower = new Follower(leader, behind, "demo");
      assertThatThrownBy(() ->
              follower.awaitAll(
                  Duration.ofSeconds(2), nowNanos::get, _ -> nowNanos.addAndGet(1_000 * MILLI)))
          .isInstanceOf(IOException.class)
          .hasMessage("the follower is 7 operations behind after 2 s");
    }
  }
}
