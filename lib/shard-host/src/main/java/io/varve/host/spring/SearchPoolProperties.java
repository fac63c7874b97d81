package io.varve.host.spring;

import io.varve.host.search.SearchPool;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code thread_pool.search.*}.
 *
 * @param size maximum number of concurrent searches; 0 for 1.5 times the number of processors, plus
 *     one
 * @param queueSize searches that may wait; more are rejected
 */
@ConfigurationProperties("thread-pool.search")
public record SearchPoolProperties(
    @DefaultValue("0") int size, @DefaultValue("1000") int queueSize) {

  public SearchPoolProperties {
    var _ = of(size, queueSize);
  }

  SearchPool.Size bounds() {
    return of(size, queueSize);
  }

  private static SearchPool.Size of(int size, int queueSize) {
    return new SearchPool.Size(
        size == 0 ? SearchPool.Size.usualWorkers(Runtime.getRuntime().availableProcessors()) : size,
        queueSize);
  }
}
