package io.varve.coordinator.security;

import io.varve.cluster.Topics;
import io.varve.control.LeaderErrors;
import io.varve.events.Feature;
import io.varve.events.Json;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import io.varve.security.SecurityCommand;
import io.varve.security.SecurityDecisions;
import io.varve.security.SecurityState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This coordinator's part in the security of its cluster: it follows the security topic, executes
 * commands while it leads, and sends them to the leader otherwise. A change is acknowledged when
 * all coordinators have read it. On the first start of a cluster the leader creates the {@link
 * FirstUsers}.
 */
public final class SecurityNode implements SecurityStates, SecurityCommands, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SecurityNode.class);
  private static final long PAUSE_MILLIS = 200;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int DERIVATIONS = 10;

  /** The information about its cluster that this node needs. */
  public interface Cluster {

    /** Waits until the cluster log was read up to its end. */
    void awaitStart() throws InterruptedException;

    String nodeId();

    /** The term in which this coordinator leads; 0 for none. */
    long leadingTerm();

    /** The address of another coordinator that leads. */
    Optional<String> leaderUrl();

    int featureLevel();

    /**
     * Waits until the other coordinators have applied a version of the security state; false if one
     * of them has not done so in time.
     */
    boolean awaitOthers(long version, Duration timeout) throws InterruptedException;
  }

  /** Sends a command to the leader; empty if it certainly was not executed. */
  @FunctionalInterface
  interface Sender {
    Optional<Applied> send(String url, byte[] command) throws InterruptedException;
  }

  private final MessageLog log;
  private final Topics topics;
  private final Cluster cluster;
  private final Sender sender;
  private final FirstUsers first;
  private final SecurityTail tail;
  private final SecurityWriter writer;
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param first the users of a new cluster
   */
  SecurityNode(MessageLog log, Topics topics, Cluster cluster, Sender sender, FirstUsers first) {
    this.log = log;
    this.topics = topics;
    this.cluster = cluster;
    this.sender = sender;
    this.first = first;
    PartitionLog partition = log.open(topics.security(), 0);
    this.tail = new SecurityTail(partition);
    this.writer =
        new SecurityWriter(
            partition, cluster.nodeId(), cluster::leadingTerm, cluster::featureLevel, blocking);
  }

  /** Returns immediately. */
  public void start() {
    blocking.execute(() -> {
      try {
        cluster.awaitStart();
        open();
        createFirstUsers();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        LOG.debug("closed before the start was complete");
      }
    });
  }

  private void open() throws InterruptedException {
    while (true) {
      try {
        log.createTopic(topics.securitySpec());
        tail.start();
        return;
      } catch (LogException e) {
        LOG.warn("can't read the security topic yet: {}", e.getMessage());
        pause();
      }
    }
  }

  /** Waits until some coordinator, perhaps this one, has created the first users. */
  private void createFirstUsers() throws InterruptedException {
    while (tail.isOpen() && tail.current().state().users().isEmpty()) {
      if (cluster.leadingTerm() > 0) {
        try {
          if (create(first.commands())) {
            LOG.info("{}", first.notice());
          }
        } catch (ApiException | IOException e) {
          LOG.warn("can't create the first users yet: {}", e.getMessage());
        }
      }
      pause();
    }
  }

  /** Nobody has asked for the first users, so no other coordinator is awaited. */
  private boolean create(List<SecurityCommand> commands) throws InterruptedException {
    if (commands.size() == 1) {
      return read(commands.getFirst()).created();
    }
    var _ =
        derived(state ->
            state.users().isEmpty()
                ? new SecurityCommand.ChangeAll(state.version(), commands)
                : null);
    return true;
  }

  private void pause() throws InterruptedException {
    if (closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
      throw new InterruptedException("closed");
    }
  }

  /** Whether the security state is known, so that users can be admitted. */
  boolean isOpen() {
    return tail.isOpen();
  }

  @Override
  public Current current() {
    return tail.current();
  }

  @Override
  public Applied execute(SecurityCommand command) throws InterruptedException {
    Applied applied = read(command);
    awaitOthers(applied.version());
    return applied;
  }

  /** Makes the change, and returns when this coordinator has read it. */
  private Applied read(SecurityCommand command) throws InterruptedException {
    Applied applied = applied(command);
    if (!tail.awaitVersion(applied.version(), TIMEOUT)) {
      throw LeaderErrors.unavailable(
          "the change was made, but this coordinator has not applied it in time");
    }
    return applied;
  }

  private void awaitOthers(long version) throws InterruptedException {
    if (!cluster.awaitOthers(version, TIMEOUT)) {
      throw LeaderErrors.unavailable(
          "the change was made, but not all coordinators have applied it in time");
    }
  }

  /**
   * Waits until this coordinator serves no request in an older state than this version. If its
   * state can't be read any more, it refuses all requests, so there is nothing to wait for.
   *
   * @return a version than which it serves in no older state
   */
  long awaitApplied(long version, Duration timeout) throws InterruptedException {
    return tail.awaitVersion(version, timeout) || tail.isClosed() ? version : tail.version();
  }

  @Override
  public void change(Function<SecurityState, SecurityCommand.@Nullable ChangeAll> derivation)
      throws InterruptedException {
    awaitOthers(derived(derivation));
  }

  /** Makes a change that is derived from the newest state, and returns the version to wait for. */
  private long derived(Function<SecurityState, SecurityCommand.@Nullable ChangeAll> derivation)
      throws InterruptedException {
    if (!Feature.SECURITY_CHANGES.in(cluster.featureLevel())) {
      // An older leader does not know the command.
      throw SecurityWriter.needsLevel(Feature.SECURITY_CHANGES.since());
    }
    for (int attempt = 1; ; attempt++) {
      SecurityState state = current().state();
      SecurityCommand.ChangeAll command = derivation.apply(state);
      if (command == null) {
        return state.version();
      }
      OptionalLong version = made(command, attempt);
      if (version.isPresent()) {
        return version.getAsLong();
      }
    }
  }

  /** Empty when a newer state was read, from which the command must be derived again. */
  private OptionalLong made(SecurityCommand.ChangeAll command, int attempt)
      throws InterruptedException {
    try {
      return OptionalLong.of(read(command).version());
    } catch (ApiException e) {
      boolean conflict = e.error().type().equals(SecurityDecisions.VERSION_CONFLICT);
      if (conflict && attempt < DERIVATIONS && tail.awaitVersion(command.version() + 1, TIMEOUT)) {
        return OptionalLong.empty();
      }
      throw e;
    }
  }

  private Applied applied(SecurityCommand command) throws InterruptedException {
    byte[] json = Json.mapper().writerFor(SecurityCommand.class).writeValueAsBytes(command);
    long attempts = TIMEOUT.toMillis() / PAUSE_MILLIS;
    for (long i = 0; i < attempts; i++) {
      if (cluster.leadingTerm() > 0) {
        Optional<Applied> here = here(command);
        if (here.isPresent()) {
          return here.get();
        }
      }
      Optional<String> url = cluster.leaderUrl();
      if (url.isPresent()) {
        Optional<Applied> there = sender.send(url.get(), json);
        if (there.isPresent()) {
          return there.get();
        }
      }
      pause();
    }
    throw LeaderErrors.noLeader(TIMEOUT.toMillis());
  }

  private Optional<Applied> here(SecurityCommand command) throws InterruptedException {
    try {
      return Optional.of(writer.carryOut(command));
    } catch (ApiException e) {
      if (e.error().status() == LeaderErrors.MISDIRECTED) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Executes the command here, or throws 421. */
  Applied executeLocally(SecurityCommand command) throws InterruptedException {
    return writer.carryOut(command);
  }

  @Override
  public void close() {
    closed.countDown();
    tail.close();
    blocking.shutdownNow();
  }
}
