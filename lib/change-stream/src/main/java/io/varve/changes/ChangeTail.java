package io.varve.changes;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.event.ConsumerStoppedEvent;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/**
 * Follows the changes of one index without an application, for command lines.
 *
 * <p>The end of the stream is an outcome: the index was deleted, or the changes can't be delivered.
 */
public final class ChangeTail implements AutoCloseable {

  private static final long DELETED_CHECK_MILLIS = 1_000;

  /** The reason for which the stream ended. */
  public enum End {
    /** {@link #close} was called; the offsets of the delivered changes are committed. */
    CLOSED,
    INDEX_DELETED
  }

  /**
   * @param group the consumer group whose offsets are used
   * @param start the position at which to start; null to continue after the last change that the
   *     group received, or with the next change if it has none
   */
  public record Request(String index, String group, @Nullable ChangeStart start) {

    public Request {
      Objects.requireNonNull(index, "index");
      Objects.requireNonNull(group, "group");
    }
  }

  private final ChangeTopics topics;
  private final ChangeContainers containers;
  private final ConcurrentMessageListenerContainer<byte[], byte[]> container;
  private final CompletableFuture<End> ended = new CompletableFuture<>();

  private ChangeTail(
      Request request,
      ChangeTopics topics,
      Map<String, String> kafka,
      ChangeTopics.Located located,
      Consumer<Change> listener) {
    this.topics = topics;
    Map<String, Object> consumer = new HashMap<>(kafka);
    consumer.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, located.bootstrapServers());
    this.containers = new ChangeContainers(consumer, topics, DELETED_CHECK_MILLIS);
    ChangeStart start = request.start();
    this.container =
        containers.container(
            new ChangeContainers.Following(
                located.topic(),
                request.group(),
                start == null ? ChangeStart.END : start,
                start != null,
                listener,
                ended::completeExceptionally));
    containers.onDeleted(_ -> ended.complete(End.INDEX_DELETED));
    container.setApplicationEventPublisher(this::observe);
  }

  /**
   * Starts to follow. One thread calls the listener; if it throws, it receives the change again.
   *
   * @param topics the topics of the cluster; closed with the tail, or if this fails
   * @param kafka properties of Kafka's clients for its brokers
   * @throws io.varve.cluster.RemoteCluster.MissingIndexException there is no such index
   * @throws IOException no coordinator answered
   */
  public static ChangeTail follow(
      Request request, ChangeTopics topics, Map<String, String> kafka, Consumer<Change> listener)
      throws IOException, InterruptedException {
    try {
      ChangeTail tail =
          new ChangeTail(request, topics, kafka, topics.locate(request.index()), listener);
      tail.container.start();
      return tail;
    } catch (IOException | InterruptedException | RuntimeException e) {
      topics.close();
      throw e;
    }
  }

  /**
   * Ends the stream with a failure if the consumer stopped and no other callback gives the reason.
   */
  private void observe(Object event) {
    if (event instanceof ConsumerStoppedEvent stopped
        && stopped.getReason() != ConsumerStoppedEvent.Reason.NORMAL) {
      ended.completeExceptionally(
          new IllegalStateException("the consumer stopped: " + stopped.getReason()));
    }
  }

  /**
   * Waits for the end of the stream.
   *
   * @throws ChangeStreamException the changes can't be delivered further
   */
  public End awaitEnd() throws InterruptedException {
    try {
      return ended.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Finishes the change in progress, commits the offsets, and ends the stream. */
  @Override
  public void close() {
    container.stop();
    containers.close();
    topics.close();
    ended.complete(End.CLOSED);
  }
}
