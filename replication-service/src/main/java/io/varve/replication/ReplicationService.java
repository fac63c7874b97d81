package io.varve.replication;

import io.varve.cluster.NodeInfo;
import io.varve.host.spring.CopiesConfiguration;
import io.varve.host.spring.NodeConfiguration;
import io.varve.host.spring.NodeDefaults;
import io.varve.host.spring.NodeRole;
import io.varve.http.ServiceAutoConfiguration;
import io.varve.process.ProcessGuard;
import java.nio.file.Path;
import java.util.Set;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * The service that holds replicas and answers reads. {@link
 * io.varve.replication.spring.ReplicaConfiguration} offers replicas to this process by
 * auto-configuration; with the jar of the shard service on its class path a replica can be promoted
 * in place.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ServiceAutoConfiguration
@Import({NodeConfiguration.class, CopiesConfiguration.class})
public class ReplicationService {

  @Bean
  NodeRole role() {
    return new NodeRole("replication-service", Set.of(NodeInfo.REPLICA));
  }

  /** Returns when the service answers; properties are passed as {@code --varve.data=…}. */
  public static ConfigurableApplicationContext start(String... arguments) {
    return NodeDefaults.start(ReplicationService.class, arguments);
  }

  /** Runs the service as a separate process. */
  public static void main(String[] arguments) {
    ProcessGuard.install();
    ConfigurableApplicationContext context = start(arguments);
    ProcessGuard.dumpInto(Path.of(context.getEnvironment().getProperty("varve.data", "data")));
  }
}
