package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.RerouteCommand;
import io.varve.control.allocation.Reroute;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@code _cluster/reroute}: executes allocation commands. A dry run shows their effect on this
 * coordinator's state; otherwise the leader evaluates them against its own state and appends the
 * result to the cluster log.
 */
public final class RerouteEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  public RerouteEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/_cluster/reroute");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    boolean dryRun = request.flag("dry_run", false);
    boolean explain = request.flag("explain", false);
    boolean retryFailed = request.flag("retry_failed", false);
    Set<String> metrics = metrics(request.list("metric"));
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    Map<String, Object> body = request.bodyAsMap();
    return responder -> {
      List<RerouteCommand> commands = new RerouteBody(cluster).read(body);
      AtomicLong number = new AtomicLong();
      List<Reroute.Outcome> outcomes =
          new Reroute(() -> "planned-" + number.incrementAndGet()).plan(cluster.state(), commands);
      if (!explain) {
        outcomes.stream()
            .filter(outcome -> !outcome.done())
            .findFirst()
            .ifPresent(outcome -> {
              throw new ApiException(outcome.error());
            });
      }
      ClusterState state =
          dryRun ? planned(outcomes) : changed(commands, outcomes, retryFailed, timeout);
      boolean acknowledged = dryRun || cluster.awaitAcknowledged(ackTimeout);
      Map<String, Object> answer = object("acknowledged", acknowledged);
      answer.put("state", new StateJson(state, state.indices().values(), false).of(metrics));
      if (explain) {
        answer.put("explanations", outcomes.stream().map(this::explanation).toList());
      }
      responder.json(200, answer);
    };
  }

  private static Set<String> metrics(List<String> asked) {
    Set<String> metrics = new HashSet<>(ClusterStateEndpoint.metrics(asked));
    if (asked.isEmpty()) {
      metrics.remove("metadata");
    }
    return metrics;
  }

  private ClusterState planned(List<Reroute.Outcome> outcomes) {
    ClusterState state = cluster.state();
    for (Reroute.Outcome outcome : outcomes) {
      for (ClusterEvent event : outcome.events()) {
        state = state.apply(event);
      }
    }
    return state;
  }

  /**
   * Sends the accepted commands to the leader and returns the resulting state. Rejected commands
   * are omitted; the response explains them.
   */
  private ClusterState changed(
      List<RerouteCommand> commands,
      List<Reroute.Outcome> outcomes,
      boolean retryFailed,
      Duration timeout)
      throws InterruptedException {
    List<RerouteCommand> steps = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      if (outcomes.get(i).done()) {
        steps.add(commands.get(i));
      }
    }
    cluster.change(new ClusterCommand.Reroute(steps, retryFailed), timeout);
    return cluster.state();
  }

  private Map<String, Object> explanation(Reroute.Outcome outcome) {
    return object(
        "command",
        outcome.command().name(),
        "parameters",
        parameters(outcome.command()),
        "decisions",
        outcome.verdicts().stream().map(AllocationJson::verdict).toList());
  }

  private Map<String, Object> parameters(RerouteCommand command) {
    Map<String, Object> parameters = object("index", command.index(), "shard", command.shard());
    switch (command) {
      case RerouteCommand.Move move -> {
        parameters.put("from_node", move.fromNode());
        parameters.put("to_node", move.toNode());
      }
      case RerouteCommand.Cancel cancel -> {
        parameters.put("node", cancel.node());
        parameters.put("allow_primary", cancel.allowPrimary());
      }
      case RerouteCommand.AllocateReplica replica -> parameters.put("node", replica.node());
      case RerouteCommand.AllocatePrimary primary -> {
        parameters.put("node", primary.node());
        parameters.put("accept_data_loss", primary.acceptDataLoss());
      }
    }
    return parameters;
  }

  /** Parses the commands. A node may be specified by any filter that selects exactly one node. */
  private record RerouteBody(ClusterAccess cluster) {

    List<RerouteCommand> read(Map<String, Object> body) {
      List<RerouteCommand> commands = new ArrayList<>();
      for (Map.Entry<String, Object> part : body.entrySet()) {
        if (!part.getKey().equals("commands")) {
          throw illegal("[cluster_reroute] unknown field [" + part.getKey() + "]");
        }
        if (!(part.getValue() instanceof List<?> steps)) {
          throw illegal("[cluster_reroute] [commands] must be a list");
        }
        steps.forEach(step -> commands.add(command(step)));
      }
      return commands;
    }

    private RerouteCommand command(Object step) {
      if (!(step instanceof Map<?, ?> map)
          || map.size() != 1
          || !(map.values().iterator().next() instanceof Map<?, ?> given)) {
        throw illegal("a command must be an object with one name and its parameters");
      }
      String name = String.valueOf(map.keySet().iterator().next());
      Set<String> known =
          switch (name) {
            case "move" -> Set.of("index", "shard", "from_node", "to_node");
            case "cancel" -> Set.of("index", "shard", "node", "allow_primary");
            case "allocate_replica" -> Set.of("index", "shard", "node");
            case "allocate_empty_primary", "allocate_stale_primary" ->
                Set.of("index", "shard", "node", "accept_data_loss");
            default -> throw illegal("unknown allocation command [" + name + "]");
          };
      for (Object key : given.keySet()) {
        if (!known.contains(String.valueOf(key))) {
          throw illegal("[" + name + "] unknown field [" + key + "]");
        }
      }
      String index = text(name, given, "index");
      int shard = number(name, given);
      return switch (name) {
        case "move" ->
            new RerouteCommand.Move(
                index, shard, node(name, given, "from_node"), node(name, given, "to_node"));
        case "cancel" ->
            new RerouteCommand.Cancel(
                index, shard, node(name, given, "node"), flag(given, "allow_primary"));
        case "allocate_replica" ->
            new RerouteCommand.AllocateReplica(index, shard, node(name, given, "node"));
        default ->
            new RerouteCommand.AllocatePrimary(
                index,
                shard,
                node(name, given, "node"),
                name.equals("allocate_stale_primary"),
                flag(given, "accept_data_loss"));
      };
    }

    private static String text(String command, Map<?, ?> given, String field) {
      Object value = given.get(field);
      if (value == null) {
        throw illegal("[" + command + "] missing the [" + field + "] parameter");
      }
      return value.toString();
    }

    private static int number(String command, Map<?, ?> given) {
      String text = text(command, given, "shard");
      if (!text.matches("\\d{1,9}")) {
        throw illegal("[" + command + "] failed to parse [shard]: [" + text + "]");
      }
      return Integer.parseInt(text);
    }

    private static boolean flag(Map<?, ?> given, String field) {
      return "true".equals(String.valueOf(given.get(field)));
    }

    private String node(String command, Map<?, ?> given, String field) {
      String name = text(command, given, field);
      List<NodeInfo> found = NodeFilter.select(cluster, name);
      if (found.size() != 1) {
        throw illegal(
            "failed to resolve ["
                + name
                + "], "
                + (found.isEmpty()
                    ? "no matching nodes"
                    : "expected a single node but got several"));
      }
      return found.getFirst().nodeId();
    }

    private static ApiException illegal(String reason) {
      return new ApiException(ErrorBody.illegalArgument(reason));
    }
  }
}
