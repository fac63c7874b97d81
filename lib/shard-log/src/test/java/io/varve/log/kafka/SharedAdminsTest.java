package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

class SharedAdminsTest {

  private final List<Admin> created = new ArrayList<>();
  private final List<Admin> closed = new ArrayList<>();
  private final SharedAdmins admins = new SharedAdmins(_ -> admin());

  private Admin admin() {
    int number = created.size();
    Admin admin =
        (Admin)
            Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "close" -> {
                        closed.add((Admin) proxy);
                        yield null;
                      }
                      case "equals" ->
                          arguments[0] instanceof Admin other && other.hashCode() == number;
                      case "hashCode" -> number;
                      default -> throw new AssertionError(method);
                    });
    created.add(admin);
    return admin;
  }

  @Test
  void logsWithTheSameSettingsShareAClientUntilTheLastOneCloses() {
    SharedAdmins.Lease shard = admins.lease(KafkaLogConfig.of("127.0.0.1:9092", "shard"));
    SharedAdmins.Lease replica = admins.lease(KafkaLogConfig.of("127.0.0.1:9092", "replica"));

    assertThat(replica.admin()).isSameAs(shard.admin());
    shard.close();
    shard.close();
    assertThat(closed).as("closing one log twice leaves the other one its client").isEmpty();
    replica.close();
    assertThat(closed).containsExactly(replica.admin());
  }

  @Test
  void aLogThatIsOpenedAfterTheLastOneClosedHasAnotherClient() {
    KafkaLogConfig config = KafkaLogConfig.of("127.0.0.1:9092", "shard");
    SharedAdmins.Lease first = admins.lease(config);
    first.close();
    SharedAdmins.Lease second = admins.lease(config);
    first.close();

    assertThat(second.admin()).isNotSameAs(first.admin());
    assertThat(closed).containsExactly(first.admin());
  }

  @Test
  void logsOfOtherBrokersOrWithOtherCredentialsHaveClientsOfTheirOwn() {
    KafkaLogConfig config = KafkaLogConfig.of("127.0.0.1:9092", "shard");
    admins.lease(config);
    admins.lease(KafkaLogConfig.of("127.0.0.1:9093", "shard"));
    admins.lease(config.withSecurity(security("user", 0)));
    admins.lease(config.withSecurity(security("other", 0)));
    admins.lease(config.withSecurity(security("other", 1)));

    assertThat(created).hasSize(5);
  }

  private static KafkaLogConfig.Security security(String user, int stores) {
    return new KafkaLogConfig.Security(Map.of("sasl.jaas.config", user), stores);
  }
}
