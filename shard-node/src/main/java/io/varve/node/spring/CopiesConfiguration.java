package io.varve.node.spring;

import io.varve.node.CopyFactory;
import io.varve.node.NodeContext;
import io.varve.node.primary.PrimaryCopy;
import io.varve.node.primary.WritePressure;
import io.varve.node.replica.ReplicaCopies;
import io.varve.node.replica.SegmentTransfers;
import java.util.function.Function;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Copies of every kind: the role belongs to the copy, not to the service. What a service is given
 * is the leader's choice.
 */
@Configuration(proxyBeanMethods = false)
public class CopiesConfiguration {

  @Bean
  Function<NodeContext, CopyFactory> copies(SegmentTransfers transfers) {
    return node -> {
      WritePressure pressure = new WritePressure(node.settings().pressureBytes());
      return (context, primary, term) ->
          primary
              ? new PrimaryCopy(context, term, pressure)
              : ReplicaCopies.create(context, transfers);
    };
  }
}
