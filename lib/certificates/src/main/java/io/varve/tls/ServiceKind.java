package io.varve.tls;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kind of a process, which determines the internal endpoints that the process may call. */
public enum ServiceKind {
  COORDINATOR,
  SHARD_SERVICE,
  REPLICATION_SERVICE,
  CCR_FOLLOWER,

  /** A Kafka broker of this cluster only. It calls no other process. */
  BROKER,

  /** Reads health and metrics, for example Prometheus. It is not a process of the cluster. */
  MONITOR,

  /**
   * Reads logs of indices from the brokers: a change stream or another cluster. It is not a process
   * of the cluster.
   */
  CONSUMER;

  /** Whether others connect to it, so that its certificate names its hosts. */
  public boolean isServer() {
    return this != MONITOR && this != CONSUMER;
  }

  /** Its name in certificates and on command lines, such as {@code shard-service}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Optional<ServiceKind> of(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
  }
}
