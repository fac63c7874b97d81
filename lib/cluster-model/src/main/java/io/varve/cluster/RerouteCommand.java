package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** One step that somebody wants of the allocation; nodes are named by id. */
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

  /** The name under which it was asked for. */
  String name();

  /** A copy goes to another node; a primary under the next term. */
  record Move(String index, int shard, String fromNode, String toNode) implements RerouteCommand {
    @Override
    public String name() {
      return "move";
    }
  }

  /** A copy gives its place up, and is given another. */
  record Cancel(String index, int shard, String node, boolean allowPrimary)
      implements RerouteCommand {
    @Override
    public String name() {
      return "cancel";
    }
  }

  /** A replica without a place goes to that node. */
  record AllocateReplica(String index, int shard, String node) implements RerouteCommand {
    @Override
    public String name() {
      return "allocate_replica";
    }
  }

  /**
   * A primary without a place goes to that node. What it holds comes from the log and the segments
   * in either case.
   *
   * @param stale whether it was asked for as one that has an old copy
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
