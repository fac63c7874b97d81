package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A command of the reroute API; nodes are identified by id. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reroute")
@JsonSubTypes({
  @JsonSubTypes.Type(value = RerouteCommand.Move.class, name = "move"),
  @JsonSubTypes.Type(value = RerouteCommand.Cancel.class, name = "cancel"),
  @JsonSubTypes.Type(value = RerouteCommand.AllocateReplica.class, name = "allocate_replica"),
  @JsonSubTypes.Type(value = RerouteCommand.AllocatePrimary.class, name = "allocate_primary"),
})
public sealed interface RerouteCommand {

  String index();

  int shard();

  /** The command's name in the API. */
  String name();

  /** Relocates a copy; a primary continues under the next term. */
  record Move(String index, int shard, String fromNode, String toNode) implements RerouteCommand {
    @Override
    public String name() {
      return "move";
    }
  }

  /** Cancels the allocation of a copy, which is then allocated again. */
  record Cancel(String index, int shard, String node, boolean allowPrimary)
      implements RerouteCommand {
    @Override
    public String name() {
      return "cancel";
    }
  }

  /** Allocates an unassigned replica to the node. */
  record AllocateReplica(String index, int shard, String node) implements RerouteCommand {
    @Override
    public String name() {
      return "allocate_replica";
    }
  }

  /**
   * Allocates an unassigned primary to the node. In either form its content comes from the log and
   * the segments.
   *
   * @param stale whether the request was {@code allocate_stale_primary}
   */
  record AllocatePrimary(
      String index, int shard, String node, boolean stale, boolean acceptDataLoss)
      implements RerouteCommand {
    @Override
    public String name() {
      return stale ? "allocate_stale_primary" : "allocate_empty_primary";
    }
  }
}
