package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The conditions for which a health request waits. */
record HealthConditions(
    Health.@Nullable Status status,
    @Nullable String nodes,
    @Nullable String activeShards,
    boolean noRelocating,
    boolean noInitializing) {

  private static final Pattern NODES =
      Pattern.compile("(>=|<=|>|<)?(\\d{1,9})|(ge|le|gt|lt)\\((\\d{1,9})\\)");
  private static final List<String> EVENTS =
      List.of("immediate", "urgent", "high", "normal", "low", "languid");

  static HealthConditions of(RestRequest request) {
    String status = request.param("wait_for_status");
    String nodes = request.param("wait_for_nodes");
    if (nodes != null && !NODES.matcher(nodes).matches()) {
      throw refused("wait_for_nodes", nodes);
    }
    String active = request.param("wait_for_active_shards");
    if (active != null && !active.equals("all") && !active.matches("\\d{1,9}")) {
      throw new ApiException(
          ErrorBody.illegalArgument("cannot parse ActiveShardCount[" + active + "]"));
    }
    // Events are applied in order, so no event of a higher priority is ever pending.
    String events = request.param("wait_for_events");
    if (events != null && !EVENTS.contains(events.toLowerCase(Locale.ROOT))) {
      throw refused("wait_for_events", events);
    }
    return new HealthConditions(
        status == null ? null : status(status),
        nodes,
        active,
        request.flag("wait_for_no_relocating_shards", false),
        request.flag("wait_for_no_initializing_shards", false));
  }

  private static Health.Status status(String word) {
    return Arrays.stream(Health.Status.values())
        .filter(status -> status.word().equals(word.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            new ApiException(
                ErrorBody.illegalArgument("unknown cluster health status [" + word + "]")));
  }

  private static ApiException refused(String name, String value) {
    return new ApiException(
        ErrorBody.illegalArgument("invalid value [" + value + "] for [" + name + "]"));
  }

  boolean isGranted(ClusterState state, Health health, boolean indicesExist) {
    return indicesExist
        && (status == null || health.status().compareTo(status) <= 0)
        && (nodes == null || nodesFit(state.nodes().size()))
        && (activeShards == null || isActive(health))
        && (!noRelocating || health.moving() == 0)
        && (!noInitializing || health.initializing() == 0);
  }

  private boolean isActive(Health health) {
    return "all".equals(activeShards)
        ? health.initializing() + health.unassigned() == 0
        : health.active() >= Integer.parseInt(String.valueOf(activeShards));
  }

  private boolean nodesFit(int count) {
    Matcher matcher = NODES.matcher(String.valueOf(nodes));
    if (!matcher.matches()) {
      return false;
    }
    String operator = matcher.group(1) == null ? matcher.group(3) : matcher.group(1);
    int wanted = Integer.parseInt(matcher.group(2) == null ? matcher.group(4) : matcher.group(2));
    return switch (operator) {
      case ">=", "ge" -> count >= wanted;
      case "<=", "le" -> count <= wanted;
      case ">", "gt" -> count > wanted;
      case "<", "lt" -> count < wanted;
      case null, default -> count == wanted;
    };
  }
}
