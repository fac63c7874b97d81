package io.varve.standalone.cluster;

import io.varve.tls.ServiceKind;
import java.util.List;

/**
 * Describes a process of a local cluster that is to be started.
 *
 * @param name the node name
 * @param url the URL of a service, or the host and port of a broker, on which the process listens
 * @param jvmFlags flags in addition to those of all processes
 */
record ProcessPlan(
    String name, Role role, String url, List<String> jvmFlags, List<String> arguments) {

  ProcessPlan {
    jvmFlags = List.copyOf(jvmFlags);
    arguments = List.copyOf(arguments);
  }

  /** The program that a process runs. */
  enum Role {
    BROKER("broker", "io.varve.kafka.BrokerMain"),
    COORDINATOR("coordinator", "io.varve.coordinator.CoordinatorService"),
    SHARD_SERVICE("shard-service", "io.varve.shard.ShardService"),
    REPLICATION_SERVICE("replication-service", "io.varve.replication.ReplicationService"),
    CCR_FOLLOWER("ccr-follower", "io.varve.ccr.CcrFollowerService");

    final String text;
    final String mainClass;

    Role(String text, String mainClass) {
      this.text = text;
      this.mainClass = mainClass;
    }

    /** The kind of the process in certificates. */
    ServiceKind service() {
      return ServiceKind.of(text)
          .orElseThrow(() -> new IllegalStateException(text + " has no certificate"));
    }

    String nameOf(int number) {
      return text + "-" + number;
    }
  }

  /** The port of {@link #url}. */
  int port() {
    return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
  }

  boolean isNode() {
    return role != Role.BROKER;
  }
}
