package io.varve.shard;

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
 * The service that holds primaries and accepts writes. {@link
 * io.varve.shard.spring.PrimaryConfiguration} adds primaries to this process by auto-configuration.
 * With the jar of the replication service on its class path, the process also holds replicas.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ServiceAutoConfiguration
@Import({NodeConfiguration.class, CopiesConfiguration.class})
public class ShardService {

  @Bean
  NodeRole role() {
    return new NodeRole("shard-service", Set.of(NodeInfo.PRIMARY));
  }

  /**
   * Returns when the service answers requests; arguments are properties such as {@code
   * --varve.data=…}.
   */
  public static ConfigurableApplicationContext start(String... arguments) {
    return NodeDefaults.start(ShardService.class, arguments);
  }

  /** The service as a process of its own. */
  public static void main(String[] arguments) {
    ProcessGuard.install();
    ConfigurableApplicationContext context = start(arguments);
    ProcessGuard.dumpInto(Path.of(context.getEnvironment().getProperty("varve.data", "data")));
  }
}
