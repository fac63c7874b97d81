package io.varve.changes;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ConsumerPostProcessor;

/**
 * Gives each consumer its {@link PartitionFences}, which {@link ChangeAssignments} sets, and writes
 * the state of the fence into the metadata of every offset that it commits.
 *
 * <p>The container's {@code OffsetAndMetadataProvider} cannot write this metadata: it receives the
 * offset without the partition, and two partitions can have different fences at the same offset.
 */
final class FencedConsumers implements ConsumerPostProcessor<byte[], byte[]> {

  private final StartingFences starting;
  private final ChangeAssignments assignments;

  FencedConsumers(StartingFences starting, ChangeAssignments assignments) {
    this.starting = starting;
    this.assignments = assignments;
  }

  @Override
  @SuppressWarnings("unchecked")
  public Consumer<byte[], byte[]> apply(Consumer<byte[], byte[]> consumer) {
    return (Consumer<byte[], byte[]>)
        Proxy.newProxyInstance(
            Consumer.class.getClassLoader(),
            new Class<?>[] {Consumer.class},
            new Calls(consumer, new PartitionFences(starting), assignments));
  }

  /** Sets the offsets before the container's listener, which reads them. */
  private record Rebalances(Calls calls, ConsumerRebalanceListener told)
      implements ConsumerRebalanceListener {

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      calls.assigned(partitions);
      told.onPartitionsAssigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      told.onPartitionsRevoked(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      told.onPartitionsLost(partitions);
    }
  }

  private record Calls(
      Consumer<byte[], byte[]> consumer, PartitionFences fences, ChangeAssignments assignments)
      implements InvocationHandler {

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      switch (method.getName()) {
        case "poll" -> fences.bind();
        case "close" -> PartitionFences.unbind();
        case "subscribe" -> {
          if (arguments != null
              && arguments.length == 2
              && arguments[1] instanceof ConsumerRebalanceListener told) {
            return call(method, new Object[] {arguments[0], new Rebalances(this, told)});
          }
        }
        case "commitSync", "commitAsync" -> {
          if (arguments != null && arguments.length > 0 && arguments[0] instanceof Map<?, ?> map) {
            return commit(method, arguments.clone(), fences.described(offsets(map)));
          }
        }
        default -> {}
      }
      return call(method, arguments);
    }

    @SuppressWarnings("unchecked")
    private static Map<TopicPartition, OffsetAndMetadata> offsets(Map<?, ?> map) {
      return (Map<TopicPartition, OffsetAndMetadata>) map;
    }

    private @Nullable Object commit(
        Method method, Object[] arguments, Map<TopicPartition, OffsetAndMetadata> offsets)
        throws Throwable {
      arguments[0] = offsets;
      if (method.getName().equals("commitAsync")) {
        OffsetCommitCallback told = (OffsetCommitCallback) arguments[1];
        arguments[1] =
            (OffsetCommitCallback)
                (committed, failure) -> {
                  if (failure == null) {
                    fences.committed(committed);
                  }
                  if (told != null) {
                    told.onComplete(committed, failure);
                  }
                };
        return call(method, arguments);
      }
      Object nothing = call(method, arguments);
      fences.committed(offsets);
      return nothing;
    }

    private void assigned(Collection<TopicPartition> partitions) {
      assignments.assigned(consumer, fences, partitions);
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
      try {
        return method.invoke(consumer, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }
  }
}
