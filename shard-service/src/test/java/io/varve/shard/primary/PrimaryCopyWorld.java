package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.host.NodeWorld;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A world with one index of books, in which tests start primaries and write to them. */
abstract class PrimaryCopyWorld {
  static final Duration LONG = Duration.ofSeconds(60);
  static final String MAPPING =
      "{\"properties\":{\"title\":{\"type\":\"keyword\"},\"note\":{\"type\":\"text\"}}}";

  @TempDir Path folder;
  NodeWorld world;
  final List<PrimaryCopy> open = new ArrayList<>();

  @BeforeEach
  void makeWorld() throws Exception {
    world = new NodeWorld(folder);
  }

  @AfterEach
  void endWorld() {
    world.appends.endUnanswered();
    open.forEach(PrimaryCopy::close);
    world.close();
  }

  PrimaryCopy started(String node, long term) throws Exception {
    PrimaryCopy copy = new PrimaryCopy(world.copy(node), term, new WritePressure(1 << 20), null);
    open.add(copy);
    copy.start();
    return copy;
  }

  void createBooks() {
    world.createIndex(Map.of("index.refresh_interval", "-1"), MAPPING);
  }

  static WriteItem item(WriteItem.Kind kind, String id, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return WriteItem.of(kind, id, bytes, 0, bytes.length);
  }

  static WriteItem book(String id, String title) {
    return item(WriteItem.Kind.INDEX, id, "{\"title\":\"" + title + "\"}");
  }

  static String note(int length) {
    return "{\"note\":\"" + "x".repeat(length) + "\"}";
  }

  static List<WriteItem> books(int count) {
    return IntStream.range(0, count).mapToObj(i -> book("b" + i, "t" + i)).toList();
  }

  static WriteResult.Done done(WriteResult result) {
    assertThat(result).isInstanceOf(WriteResult.Done.class);
    return (WriteResult.Done) result;
  }

  static int status(WriteResult result) {
    assertThat(result).isInstanceOf(WriteResult.Failed.class);
    return ((WriteResult.Failed) result).error().status();
  }
}
