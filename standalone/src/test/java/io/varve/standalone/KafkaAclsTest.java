package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.varve.kafka.BrokerAcl;
import io.varve.kafka.BrokerAcl.Operation;
import io.varve.kafka.BrokerAcl.Resource;
import io.varve.tls.ServiceKind;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KafkaAclsTest {

  private static final KafkaAcls ACLS = new KafkaAcls("books");

  private static Set<String> mayWrite(String topic) {
    return ACLS.all().stream()
        .filter(acl -> acl.operation() == Operation.WRITE && acl.resource() == Resource.TOPIC)
        .filter(acl -> acl.prefixed() ? topic.startsWith(acl.name()) : topic.equals(acl.name()))
        .map(BrokerAcl::principal)
        .collect(Collectors.toSet());
  }

  private static String user(ServiceKind service) {
    return KafkaAcls.principal("books", service);
  }

  @Test
  void onlyNodesThatMayHoldPrimariesWriteOperations() {
    assertThat(mayWrite("varve.books.ops.x"))
        .containsExactlyInAnyOrder(
            user(ServiceKind.SHARD_SERVICE), user(ServiceKind.REPLICATION_SERVICE));
  }

  @Test
  void onlyCoordinatorsWriteTheClusterLogAndUsers() {
    for (String topic : Set.of("varve.books.cluster", "varve.books.security")) {
      assertThat(mayWrite(topic)).containsExactly(user(ServiceKind.COORDINATOR));
    }
  }

  @Test
  void allProcessesWriteTheAuditLogAndOnlyCoordinatorsCreateIt() {
    assertThat(mayWrite("varve.books.audit"))
        .containsExactlyInAnyOrder(
            user(ServiceKind.COORDINATOR),
            user(ServiceKind.SHARD_SERVICE),
            user(ServiceKind.REPLICATION_SERVICE),
            user(ServiceKind.CCR_FOLLOWER));
    assertThat(ACLS.all())
        .filteredOn(acl -> acl.name().equals("varve.books.audit"))
        .filteredOn(acl -> acl.operation() != Operation.WRITE)
        .extracting(BrokerAcl::operation, BrokerAcl::principal)
        .containsExactly(tuple(Operation.CREATE, user(ServiceKind.COORDINATOR)));
  }

  @Test
  void nobodyReadsTheAuditLogAndOnlyCoordinatorsReadUsers() {
    assertThat(ACLS.all())
        .filteredOn(acl -> acl.operation() == Operation.READ && acl.resource() == Resource.TOPIC)
        .allSatisfy(acl -> {
          assertThat("varve.books.audit").doesNotStartWith(acl.name());
          assertThat(acl.name()).startsWith("varve.books.");
          if ("varve.books.security".startsWith(acl.name())) {
            assertThat(acl.principal()).isEqualTo(user(ServiceKind.COORDINATOR));
          }
        });
  }

  @Test
  void everyPermissionIsOfOneClusterAndListedOnce() {
    assertThat(ACLS.all())
        .doesNotHaveDuplicates()
        .allSatisfy(acl -> assertThat(acl.principal()).startsWith("User:books."));
  }
}
