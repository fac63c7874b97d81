package io.varve.standalone.status;

import io.varve.standalone.TextTable;
import io.varve.standalone.status.ClusterStatus.Breaker;
import io.varve.standalone.status.ClusterStatus.Follower;
import io.varve.standalone.status.ClusterStatus.Index;
import io.varve.standalone.status.ClusterStatus.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes a {@link ClusterStatus} as tables for people; health is coloured on a terminal. */
final class StatusText {

  private static final String UNKNOWN = "-";

  private final boolean coloured;
  private final List<String> lines = new ArrayList<>();

  StatusText(boolean coloured) {
    this.coloured = coloured;
  }

  List<String> of(ClusterStatus status) {
    lines.clear();
    lines.add(
        coloured(status.health())
            + "  "
            + status.cluster()
            + ": "
            + count(status.nodes().size(), "node", "nodes")
            + ", "
            + count(status.indices().size(), "index", "indices")
            + ", "
            + status.activeCopies()
            + " of "
            + count(status.copies(), "copy", "copies")
            + " active");
    if (!status.hasGreenHealth()) {
      lines.add("  GET /_cluster/allocation/explain explains copies that are not active");
    }
    add("Nodes", nodes(status.nodes()));
    add("Indices", indices(status.indices()));
    add("Followers", followers(status.followers()));
    add("Open breakers", breakers(status.openBreakers()));
    if (!status.notAsked().isEmpty()) {
      lines.add("");
      lines.add("Breakers unknown for: " + String.join(", ", status.notAsked()));
    }
    return List.copyOf(lines);
  }

  private String coloured(String health) {
    String colour =
        switch (health) {
          case "green" -> "32";
          case "yellow" -> "33";
          default -> "31";
        };
    return coloured ? "\033[1;" + colour + "m" + health + "\033[0m" : health;
  }

  private static String count(long number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }

  private void add(String title, TextTable table) {
    if (!table.isEmpty()) {
      lines.add("");
      lines.add(title);
      table.lines().forEach(line -> lines.add("  " + line));
    }
  }

  private static TextTable nodes(List<Node> nodes) {
    TextTable table =
        new TextTable()
            .text("name")
            .text("roles")
            .text("address")
            .number("heap")
            .number("load")
            .text("");
    for (Node node : nodes) {
      table.row(
          node.name(),
          node.roles(),
          node.address(),
          node.heapPercent() == null ? UNKNOWN : node.heapPercent() + " %",
          node.load() == null ? UNKNOWN : String.format(Locale.ROOT, "%.2f", node.load()),
          node.heapPercent() == null ? "does not answer" : node.leads() ? "leads" : "");
    }
    return table;
  }

  private static TextTable indices(List<Index> indices) {
    TextTable table =
        new TextTable()
            .text("health")
            .text("name")
            .number("shards")
            .number("replicas")
            .number("docs")
            .number("size")
            .number("lag");
    for (Index index : indices) {
      table.row(
          index.open() ? index.health() : index.health() + ", closed",
          index.name(),
          Long.toString(index.primaries()),
          Long.toString(index.replicas()),
          number(index.docs()),
          index.sizeBytes() == null ? UNKNOWN : TextTable.bytes(index.sizeBytes()),
          millis(index.lagMillis()));
    }
    return table;
  }

  private static TextTable followers(List<Follower> followers) {
    TextTable table =
        new TextTable()
            .text("index")
            .number("shard")
            .text("follows")
            .text("state")
            .number("lag")
            .number("operations behind");
    for (Follower follower : followers) {
      table.row(
          follower.index(),
          Long.toString(follower.shard()),
          follower.leader(),
          follower.state(),
          millis(follower.lagMillis()),
          number(follower.lagOperations()));
    }
    return table;
  }

  private static TextTable breakers(List<Breaker> breakers) {
    TextTable table = new TextTable().text("of").text("to").text("state");
    breakers.forEach(one -> table.row(one.process(), one.guards(), one.state().replace('_', ' ')));
    return table;
  }

  private static String number(@Nullable Long value) {
    return value == null ? UNKNOWN : String.format(Locale.ROOT, "%,d", value);
  }

  private static String millis(@Nullable Long value) {
    return value == null ? UNKNOWN : TextTable.millis(value);
  }
}
