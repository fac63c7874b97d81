package io.varve.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.Topics;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class IndexTopicsTest {

  private final MessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0L);
  private final Topics names = new Topics("test", 1);
  private final List<Runnable> afterAWhile = new ArrayList<>();
  private final IndexTopics topics = new IndexTopics(log, names, Runnable::run, afterAWhile::add);

  @Test
  void goAWhileAfterTheirIndex() throws LogException {
    topics.create("books", 2);
    topics.create("shelves", 1);
    assertThat(log.topics())
        .contains(names.operations("books"), names.manifests("books"), names.manifests("shelves"));

    topics.deleteLater("books");
    assertThat(log.topics()).contains(names.operations("books"), names.manifests("books"));

    afterAWhile.forEach(Runnable::run);
    assertThat(log.topics())
        .containsExactlyInAnyOrder(names.operations("shelves"), names.manifests("shelves"));
  }

  @Test
  void ofDeletedIndicesAreDeletedByTheNextLeader() throws LogException {
    topics.create("books", 1);
    topics.create("shelves", 1);

    topics.deleteLeft(Set.of("books"));

    assertThat(log.topics())
        .containsExactlyInAnyOrder(names.operations("shelves"), names.manifests("shelves"));
  }

  @Test
  void areDeletedLaterWhenTheLogDoesNotAnswer() throws LogException {
    AtomicBoolean away = new AtomicBoolean(true);
    MessageLog failing =
        (MessageLog)
            Proxy.newProxyInstance(
                MessageLog.class.getClassLoader(),
                new Class<?>[] {MessageLog.class},
                (_, method, arguments) -> {
                  if (away.get() && !method.getName().equals("createTopics")) {
                    throw new LogException.Unavailable("the broker is away");
                  }
                  return method.invoke(log, arguments);
                });
    IndexTopics unlucky = new IndexTopics(failing, names, Runnable::run, afterAWhile::add);
    log.createTopics(List.of(names.operationsSpec("books", 1), names.operationsSpec("left", 1)));

    unlucky.deleteLater("books");
    unlucky.deleteLeft(Set.of("left"));
    runLater();
    assertThat(log.topics()).contains(names.operations("books"), names.operations("left"));

    away.set(false);
    runLater();
    assertThat(log.topics()).isEmpty();
  }

  private void runLater() {
    List<Runnable> now = List.copyOf(afterAWhile);
    afterAWhile.clear();
    now.forEach(Runnable::run);
  }

  @Test
  void stayLongerThanTheirWritersRemember() {
    assertThat(IndexTopics.RETENTION).isGreaterThan(MessageLog.FORGOTTEN_AFTER);
  }
}
