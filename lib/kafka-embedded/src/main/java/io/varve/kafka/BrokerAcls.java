package io.varve.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/** Creates permissions at running brokers. */
public final class BrokerAcls {

  private static final int TIMEOUT_SECONDS = 60;

  private BrokerAcls() {}

  /**
   * Creates the permissions that do not exist; others stay.
   *
   * @param client the properties of Kafka's client, which must be a super user
   * @throws ExecutionException the brokers refuse the call
   * @throws TimeoutException they did not answer in time
   */
  public static void create(Map<String, String> client, Collection<BrokerAcl> acls)
      throws ExecutionException, TimeoutException, InterruptedException {
    try (Admin admin = Admin.create(new HashMap<>(client))) {
      admin
          .createAcls(acls.stream().map(BrokerAcl::binding).toList())
          .all()
          .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
  }
}
