package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.rpc.ErrorBody;
import java.util.List;

/** The result of deciding a command. */
public sealed interface Decision {

  /** Events to append; none if the state is already as requested. */
  record Events(List<ClusterEvent> events) implements Decision {
    public Events {
      events = List.copyOf(events);
    }
  }

  /** The command is refused, and nothing is appended. */
  record Refused(ErrorBody error) implements Decision {}

  static Decision of(ClusterEvent... events) {
    return new Events(List.of(events));
  }

  static Decision nothing() {
    return new Events(List.of());
  }
}
