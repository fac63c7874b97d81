package io.varve.log.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;

/**
 * Admin clients. The logs of a process share one if their settings for it are equal except for the
 * client id. A client has the id of the log that opened it first, and is closed with the last one.
 */
final class SharedAdmins {

  static final SharedAdmins OF_THIS_PROCESS = new SharedAdmins(Admin::create);

  /** Limit for calls in progress, because without a broker none of them ends. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final Function<Map<String, Object>, Admin> factory;
  private final Map<Key, Shared> open = new HashMap<>();

  SharedAdmins(Function<Map<String, Object>, Admin> factory) {
    this.factory = factory;
  }

  private record Key(Map<String, Object> settings, KafkaLogConfig.Security security) {

    static Key of(KafkaLogConfig config) {
      Map<String, Object> settings = config.admin();
      settings.remove(CommonClientConfigs.CLIENT_ID_CONFIG);
      return new Key(settings, config.security());
    }
  }

  private static final class Shared {
    final Admin admin;
    int leases;

    Shared(Admin admin) {
      this.admin = admin;
    }
  }

  /** The use of a client by one log. */
  final class Lease implements AutoCloseable {

    private final Key key;
    private final Shared shared;
    private boolean closed;

    private Lease(Key key, Shared shared) {
      this.key = key;
      this.shared = shared;
    }

    Admin admin() {
      return shared.admin;
    }

    /** Closes the client if this was its last lease. Further calls have no effect. */
    @Override
    public void close() {
      if (endsLast(this)) {
        shared.admin.close(CLOSE_TIMEOUT);
      }
    }
  }

  synchronized Lease lease(KafkaLogConfig config) {
    Key key = Key.of(config);
    Shared shared = open.get(key);
    if (shared == null) {
      shared = new Shared(factory.apply(config.admin()));
      open.put(key, shared);
    }
    shared.leases++;
    return new Lease(key, shared);
  }

  private synchronized boolean endsLast(Lease lease) {
    if (lease.closed) {
      return false;
    }
    lease.closed = true;
    lease.shared.leases--;
    return lease.shared.leases == 0 && open.remove(lease.key, lease.shared);
  }
}
