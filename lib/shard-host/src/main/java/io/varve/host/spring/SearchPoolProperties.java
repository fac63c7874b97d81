package io.varve.host.spring;

import io.varve.host.search.SearchPool;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code thread_pool.search.*}.
 *
 * @param size searches at the same time; 0 for half as many again as there are processors, and one
 * @param queueSize searches that may wait; more are refused
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
