package io.varve.host.spring;

import io.varve.engine.fielddata.FielddataMemory;
import io.varve.host.CopyFactory;
import io.varve.host.CopyKind;
import io.varve.host.CopyKinds;
import io.varve.host.NodeContext;
import io.varve.host.ShardCopy;
import io.varve.host.search.EagerOrdinals;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Wires all kinds of copy that the jars of this process offer: the role belongs to the copy, not to
 * the service. The leading coordinator decides which copies a process gets.
 */
@Configuration(proxyBeanMethods = false)
public class CopiesConfiguration {

  @Bean
  Function<NodeContext, CopyFactory> copies(
      ObjectProvider<CopyKind> kinds, FielddataMemory fields) {
    CopyKinds all = new CopyKinds(kinds.stream().toList());
    return node -> {
      CopyFactory factory = all.on(node);
      EagerOrdinals ordinals = new EagerOrdinals(node.cluster(), fields);
      return (context, primary, term) -> {
        ShardCopy copy = factory.create(context, primary, term);
        copy.warmWith(ordinals.of(context.shard()));
        return copy;
      };
    };
  }
}
