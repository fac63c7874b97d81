package io.varve.engine;

import io.varve.engine.slowlog.SlowLog;
import io.varve.engine.slowlog.SlowLog.Phase;
import io.varve.events.Json;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Logs documents whose indexing took long, on each copy that indexes: the primary and DOCUMENT
 * replicas. The logged time is the one that {@code indexing.index_time_in_millis} sums up: the time
 * that Lucene takes to index an accepted operation.
 */
final class IndexingSlowLog {

  private static final String SOURCE = "index.indexing.slowlog.source";
  private static final String REFORMAT = "index.indexing.slowlog.reformat";
  private static final String NAME = "index.provided_name";
  private static final int DEFAULT_SOURCE_CHARACTERS = 1000;

  /**
   * @param shard as messages name it
   * @param sourceCharacters how much of the source is logged
   * @param reformat whether the source is logged on one line, without white space
   */
  private record Rules(SlowLog log, String shard, int sourceCharacters, boolean reformat) {

    static Rules of(ShardId shard, Map<String, String> settings) {
      String index = settings.get(NAME);
      return new Rules(
          SlowLog.of(Phase.INDEX, settings),
          index == null
              ? shard.toString()
              : "[" + index + "/" + shard.indexUuid() + "][" + shard.number() + "]",
          sourceCharacters(settings.get(SOURCE)),
          !"false".equals(settings.get(REFORMAT)));
    }

    private static int sourceCharacters(@Nullable String text) {
      if (text == null) {
        return DEFAULT_SOURCE_CHARACTERS;
      }
      try {
        return Math.max(0, Integer.parseInt(text));
      } catch (NumberFormatException e) {
        return text.equals("false") ? 0 : Integer.MAX_VALUE;
      }
    }
  }

  private final ShardId shard;
  private volatile Map<String, String> known;
  private volatile Rules rules;

  IndexingSlowLog(ShardId shard, Map<String, String> settings) {
    this.shard = shard;
    this.known = settings;
    this.rules = Rules.of(shard, settings);
  }

  /** Applies changed settings; returns at once if none has changed. */
  void follow(Map<String, String> settings) {
    if (!settings.equals(known)) {
      known = settings;
      rules = Rules.of(shard, settings);
    }
  }

  void applied(Operation operation, long tookNanos) {
    Rules now = rules;
    byte[] source = operation.source();
    if (source != null && now.log.enabled()) {
      now.log.took(tookNanos, now.shard, () -> details(now, operation, source));
    }
  }

  private static String details(Rules now, Operation operation, byte[] source) {
    String routing = operation.routing();
    String details =
        "id[" + operation.id() + "], routing[" + (routing == null ? "" : routing) + "]";
    return now.sourceCharacters == 0 ? details : details + ", source[" + shown(now, source) + "]";
  }

  private static String shown(Rules now, byte[] source) {
    String text = new String(source, StandardCharsets.UTF_8);
    if (now.reformat) {
      try {
        text = Json.mapper().readTree(text).toString();
      } catch (JacksonException e) {
        // The source is not JSON, so it is logged unchanged.
      }
    }
    if (text.length() <= now.sourceCharacters) {
      return text.strip();
    }
    // Does not split a surrogate pair.
    int end = now.sourceCharacters;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end)
        .strip();
  }
}
