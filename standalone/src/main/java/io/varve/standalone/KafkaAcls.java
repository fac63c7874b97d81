package io.varve.standalone;

import static io.varve.kafka.BrokerAcl.Operation.CREATE;
import static io.varve.kafka.BrokerAcl.Operation.DELETE;
import static io.varve.kafka.BrokerAcl.Operation.DESCRIBE;
import static io.varve.kafka.BrokerAcl.Operation.DESCRIBE_CONFIGS;
import static io.varve.kafka.BrokerAcl.Operation.READ;
import static io.varve.kafka.BrokerAcl.Operation.WRITE;

import io.varve.cluster.Topics;
import io.varve.kafka.BrokerAcl;
import io.varve.tls.ProcessIdentity;
import io.varve.tls.ServiceKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The permissions of each service of a cluster at the brokers. A service is the user {@code
 * CLUSTER.SERVICE}, which {@link #PRINCIPALS} derives from the name in its certificate. Other users
 * have no permissions, except the brokers themselves.
 *
 * <p>Only nodes that may hold primaries write operations; only coordinators write the cluster log
 * and users, and create and delete topics. All processes of the cluster write events for auditors,
 * and none reads them. Permission to write or read includes {@code DESCRIBE}; the deletion of
 * records requires {@code DELETE}.
 */
public final class KafkaAcls {

  /** Kafka's {@code ssl.principal.mapping.rules}. */
  public static final String PRINCIPALS = "RULE:^O=([^,]+),OU=([^,]+),CN=[^,]+$/$1.$2/";

  /**
   * The groups of consumers: the default of {@code varve tail}, and others with the same prefix.
   */
  private static final String GROUPS = "varve-";

  private final String cluster;
  private final Topics topics;
  private final List<BrokerAcl> acls = new ArrayList<>();

  public KafkaAcls(String cluster) {
    this.cluster = cluster;
    this.topics = new Topics(cluster, 0);
    coordinators();
    dataNodes(ServiceKind.SHARD_SERVICE);
    dataNodes(ServiceKind.REPLICATION_SERVICE);
    pullers();
    consumers();
  }

  /** The user of a service. */
  public static String principal(String cluster, ServiceKind service) {
    return "User:" + cluster + "." + service.text();
  }

  /**
   * A rule that precedes {@link #PRINCIPALS} at brokers without a list of revoked certificates. It
   * maps all certificates of this node to a user without permissions.
   */
  public static String nobody(ProcessIdentity node) {
    return "RULE:^O=%s,OU=%s,CN=%s$/revoked/"
        .formatted(pattern(node.cluster()), node.service().text(), pattern(node.nodeId()));
  }

  private static String pattern(String name) {
    return name.replace(".", "\\.");
  }

  public List<BrokerAcl> all() {
    return List.copyOf(acls);
  }

  private void coordinators() {
    ServiceKind who = ServiceKind.COORDINATOR;
    one(who, topics.clusterLog(), READ, WRITE, CREATE, DELETE);
    one(who, topics.nodes(), READ, WRITE, CREATE);
    one(who, topics.progress(), READ, CREATE);
    one(who, topics.security(), READ, WRITE, CREATE);
    one(who, topics.audit(), WRITE, CREATE);
    all(who, topics.operations(""), READ, CREATE, DELETE);
    all(who, topics.manifests(""), READ, WRITE, CREATE, DELETE);
    all(who, topics.quarantine(""), READ, CREATE);
    // Their metrics count the partitions of all topics.
    all(who, prefix(), DESCRIBE, DESCRIBE_CONFIGS);
  }

  private String prefix() {
    return "varve." + cluster + ".";
  }

  private void dataNodes(ServiceKind who) {
    one(who, topics.clusterLog(), READ);
    one(who, topics.nodes(), WRITE);
    one(who, topics.progress(), WRITE);
    one(who, topics.audit(), WRITE);
    all(who, topics.operations(""), READ, WRITE, DELETE);
    all(who, topics.manifests(""), READ, WRITE);
    all(who, topics.quarantine(""), READ, WRITE);
  }

  /** They pull from the brokers of other clusters. */
  private void pullers() {
    ServiceKind who = ServiceKind.CCR_FOLLOWER;
    one(who, topics.clusterLog(), READ);
    one(who, topics.nodes(), WRITE);
    one(who, topics.progress(), DESCRIBE);
    one(who, topics.audit(), WRITE);
  }

  private void consumers() {
    ServiceKind who = ServiceKind.CONSUMER;
    one(who, topics.clusterLog(), READ);
    all(who, topics.operations(""), READ);
    all(who, topics.manifests(""), READ);
    add(who, BrokerAcl.Resource.GROUP, true, GROUPS, READ);
  }

  private void one(ServiceKind who, String topic, BrokerAcl.Operation... operations) {
    add(who, BrokerAcl.Resource.TOPIC, false, topic, operations);
  }

  private void all(ServiceKind who, String prefix, BrokerAcl.Operation... operations) {
    add(who, BrokerAcl.Resource.TOPIC, true, prefix, operations);
  }

  private void add(
      ServiceKind who,
      BrokerAcl.Resource resource,
      boolean prefixed,
      String name,
      BrokerAcl.Operation... operations) {
    for (BrokerAcl.Operation operation : operations) {
      acls.add(new BrokerAcl(principal(cluster, who), operation, resource, prefixed, name));
    }
  }
}
