package io.varve.cluster;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.events.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The events that a reader of another cluster's log skips, because that cluster's release is newer
 * and this release can't read them.
 *
 * <pre>
 *   a kind that is not known, or fields that can't be read   skipped
 *   one of several events that take effect together          only that one is skipped
 *   an event that can't be applied to the state              skipped: an event before it was
 *   a part of a snapshot                                     never skipped: the log is unreadable
 * </pre>
 *
 * An index that a skipped event names (its uuid in the record, or its name in a field for names) is
 * recorded with the reason: from then on, the state of that index in this release may be wrong. A
 * reader's own cluster never contains such events, because its feature level excludes them.
 * Thread-safe; events are added by one thread.
 */
public final class SkippedEvents {

  private static final Logger LOG = LoggerFactory.getLogger(SkippedEvents.class);

  private volatile Map<String, String> reasons = Map.of();
  private volatile @Nullable String unreadable;

  /** The reasons by uuid of the index; the first one for each. */
  public Map<String, String> reasons() {
    return reasons;
  }

  /**
   * The reason for which this release can't read the log any further: a snapshot or the frame of a
   * record has an unknown form. Empty if it can read the log.
   */
  public Optional<String> unreadableLog() {
    return Optional.ofNullable(unreadable);
  }

  /** The log can't be read from that record on. */
  void unreadableFrom(StoredRecord stored, MalformedRecordException reason) {
    unreadable =
        "this release can't read the leader's cluster log from offset %d on (%s)"
                .formatted(stored.offset(), reason.getMessage())
            + ": upgrade this cluster, then resume";
  }

  /**
   * The part of the record that this release can read; empty if there is none.
   *
   * @param state before the event
   */
  Optional<ClusterEvent> read(StoredRecord stored, ClusterState state) {
    byte[] value = Objects.requireNonNull(stored.record().value(), "a cluster event's value");
    try {
      return Optional.of(Json.read(value, ClusterEvent.class));
    } catch (MalformedRecordException e) {
      return readable(stored, tree(value), state);
    }
  }

  private static JsonNode tree(byte[] value) {
    try {
      return Json.mapper().readTree(value);
    } catch (JacksonException e) {
      throw new MalformedRecordException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private Optional<ClusterEvent> readable(StoredRecord stored, JsonNode tree, ClusterState state) {
    if (!kind(tree).equals("together")) {
      skip(stored, kind(tree), tree, state);
      return Optional.empty();
    }
    List<ClusterEvent> events = new ArrayList<>();
    for (JsonNode one : tree.path("events")) {
      try {
        events.add(Json.read(Json.write(one), ClusterEvent.class));
      } catch (MalformedRecordException e) {
        skip(stored, kind(one), one, state);
      }
    }
    return Optional.of(new ClusterEvent.Together(events));
  }

  private static String kind(JsonNode event) {
    return event.path("event").asString("");
  }

  /** Skips an event that was read but can't be applied. */
  void skip(StoredRecord stored, ClusterEvent event, ClusterState state) {
    JsonNode tree = tree(Json.write(event));
    skip(stored, kind(tree), tree, state);
  }

  private void skip(StoredRecord stored, String kind, JsonNode event, ClusterState state) {
    LOG.warn(
        "event [{}] at offset {} of the cluster log of [{}] is skipped: this release can't read it",
        kind,
        stored.offset(),
        state.clusterName());
    byte[] key = stored.record().key();
    String text = event + (key == null ? "" : new String(key, StandardCharsets.UTF_8));
    Map<String, String> known = new TreeMap<>(reasons);
    for (IndexMetadata index : state.indices().values()) {
      if (text.contains(index.uuid()) || names(event, "", index.name())) {
        known.putIfAbsent(
            index.uuid(),
            "this release can't read the event [%s] at offset %d of the leader's cluster log"
                    .formatted(kind, stored.offset())
                + ": upgrade this cluster, then resume");
      }
    }
    reasons = Collections.unmodifiableMap(known);
  }

  /** Whether a field for names of indices, such as {@code index} or {@code indices}, has it. */
  private static boolean names(JsonNode node, String field, String name) {
    if (node.isString()) {
      return field.contains("ind") && node.asString().equals(name);
    }
    for (var entry : node.properties()) {
      if (names(entry.getValue(), entry.getKey(), name)) {
        return true;
      }
    }
    for (JsonNode element : node.isArray() ? node : List.<JsonNode>of()) {
      if (names(element, field, name)) {
        return true;
      }
    }
    return false;
  }
}
