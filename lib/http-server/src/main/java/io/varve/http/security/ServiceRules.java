package io.varve.http.security;

import io.varve.tls.ServiceKind;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The routes between processes that each service may call:
 *
 * <pre>
 *   coordinator           all
 *   shard-service,        reports of copies; terms, mappings and leases of primaries; queries to
 *   replication-service   other copies; files. Either may hold primaries, because a replica is
 *                         promoted where it is. A node asks for terms, reports, and changes copies
 *                         of other nodes for its own copies only ({@link CallingNode})
 *   ccr-follower          mappings and lost histories of followers; operations for their primaries
 *   monitor               none; it reads the actuator
 *   consumer              files of copies, and nothing outside of these routes
 *   broker                none, and nothing outside of these routes
 * </pre>
 */
final class ServiceRules {

  private static final String CLUSTER = "/_internal/cluster/";
  private static final String SHARD = "/_internal/shards/{index}/{number}/";
  private static final String REST = "/{rest}";

  private static final Set<String> OF_COPIES =
      routes(
          Stream.of(
              cluster("copies/started", "copies/failed"),
              cluster("terms", "mappings", "leases/over-limit", "followers/lost"),
              shard("GET", "snapshots", "files", "bundle", "durable"),
              Stream.of("GET /_internal/folders/{index}/{number}"),
              shard("POST", "admit", "refresh", "merged", "holds", "contradicted"),
              shard("POST", "digest", "versions", "check-files"),
              shard("DELETE", "snapshots", "merged")));

  private static final Set<String> OF_FOLLOWERS =
      routes(
          Stream.of(
              cluster("mappings", "followers/lost"),
              shard("GET", "ccr-cursor", "ccr-bootstrap"),
              shard("POST", "replicate", "ccr-bootstrap")));

  private static final Set<String> OF_CONSUMERS =
      routes(Stream.of(shard("GET", "snapshots", "files", "bundle"), shard("DELETE", "snapshots")));

  private ServiceRules() {}

  /** Whether the service may read the actuator. */
  static boolean readsActuator(ServiceKind service) {
    return service != ServiceKind.BROKER && service != ServiceKind.CONSUMER;
  }

  static boolean allow(ServiceKind service, String method, String template) {
    String route = method + " " + withoutRest(template);
    return switch (service) {
      case COORDINATOR -> true;
      case SHARD_SERVICE, REPLICATION_SERVICE -> OF_COPIES.contains(route);
      case CCR_FOLLOWER -> OF_FOLLOWERS.contains(route);
      case CONSUMER -> OF_CONSUMERS.contains(route);
      case BROKER, MONITOR -> false;
    };
  }

  private static String withoutRest(String template) {
    return template.endsWith(REST)
        ? template.substring(0, template.length() - REST.length())
        : template;
  }

  private static Stream<String> cluster(String... names) {
    return Stream.of(names).map(name -> "POST " + CLUSTER + name);
  }

  private static Stream<String> shard(String method, String... names) {
    return Stream.of(names).map(name -> method + " " + SHARD + name);
  }

  private static Set<String> routes(Stream<Stream<String>> groups) {
    return groups.flatMap(group -> group).collect(Collectors.toUnmodifiableSet());
  }
}
