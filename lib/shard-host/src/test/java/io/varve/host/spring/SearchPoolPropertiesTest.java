package io.varve.host.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.host.search.SearchPool;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class SearchPoolPropertiesTest {

  private static SearchPoolProperties of(Map<String, String> given) {
    return new Binder(new MapConfigurationPropertySource(given))
        .bindOrCreate("thread-pool.search", SearchPoolProperties.class);
  }

  @Test
  void byDefaultTheProcessorsSayHowManySearchAndAThousandMayWait() {
    int workers = SearchPool.Size.usualWorkers(Runtime.getRuntime().availableProcessors());

    assertThat(of(Map.of()).bounds()).isEqualTo(new SearchPool.Size(workers, 1000));
  }

  @Test
  void areNamedAsInTheDialect() {
    SearchPoolProperties properties =
        of(Map.of("thread_pool.search.size", "3", "thread_pool.search.queue_size", "7"));

    assertThat(properties.bounds()).isEqualTo(new SearchPool.Size(3, 7));
  }

  @Test
  void aValueOutOfRangeEndsTheStart() {
    assertThatThrownBy(() -> of(Map.of("thread_pool.search.queue_size", "0")))
        .rootCause()
        .hasMessageContaining("thread_pool.search.queue_size must be 1 to 1000000, was 0");
  }
}
