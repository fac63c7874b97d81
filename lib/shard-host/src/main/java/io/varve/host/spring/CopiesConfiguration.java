package io.varve.host.spring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.figures.NodeReport;
import io.varve.engine.fielddata.FielddataMemory;
import io.varve.host.CopyFactory;
import io.varve.host.NodeContext;
import io.varve.host.ShardCopy;
import io.varve.host.primary.PrimaryCopy;
import io.varve.host.primary.WritePressure;
import io.varve.host.remote.RemoteStore;
import io.varve.host.replica.ReplicaCopies;
import io.varve.host.replica.SegmentPeerRecovery;
import io.varve.host.replica.SegmentTransfers;
import io.varve.host.replica.StoreBootstrap;
import io.varve.host.replica.TransferLimits;
import io.varve.host.search.EagerOrdinals;
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
  Function<NodeContext, CopyFactory> copies(
      SegmentTransfers transfers, MeterRegistry meters, NodeReport report, FielddataMemory fields) {
    RemoteStore remote =
        transfers.store() == null
            ? null
            : new RemoteStore(transfers.store(), new StoreBootstrap(transfers));
    return node -> {
      var _ = TransferLimits.follow(node.cluster(), transfers.budget());
      WritePressure pressure = new WritePressure(node.settings().pressureBytes());
      measure(pressure, meters);
      report.section("indexing_pressure", pressure::figures);
      report.pools().of("write").rejections(pressure::rejections);
      EagerOrdinals ordinals = new EagerOrdinals(node.cluster(), fields);
      return (context, primary, term) -> {
        ShardCopy copy =
            primary
                ? new PrimaryCopy(
                    context, term, pressure, remote, new SegmentPeerRecovery(transfers))
                : ReplicaCopies.create(context, transfers);
        copy.warmWith(ordinals.of(context.shard()));
        return copy;
      };
    };
  }

  private static void measure(WritePressure pressure, MeterRegistry meters) {
    FunctionCounter.builder("varve.write.rejections", pressure, WritePressure::rejections)
        .register(meters);
    Gauge.builder("varve.write.pressure.bytes", pressure, WritePressure::currentBytes)
        .strongReference(true)
        .register(meters);
  }
}
