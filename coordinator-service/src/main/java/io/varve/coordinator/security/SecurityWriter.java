package io.varve.coordinator.security;

import io.varve.control.LeaderErrors;
import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.FencedReplay;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.log.UnreadableRecordException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.security.SecurityCommand;
import io.varve.security.SecurityDecisions;
import io.varve.security.SecurityEvent;
import io.varve.security.SecurityFold;
import io.varve.security.SecurityState;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the security topic, on the leading coordinator alone. It fences the topic before its first
 * change of a term, reads it up to that fence, and decides each command on the result. One change
 * is one record, and the next command waits for it.
 *
 * <pre>
 *   term of the security topic = term of the leader * 1024 + attempts in that term
 * </pre>
 *
 * A writer whose append has an unknown outcome can't continue in its term, hence the attempts.
 */
final class SecurityWriter {

  private static final int ATTEMPT_BITS = 10;
  private static final long MAX_ATTEMPTS = 1L << ATTEMPT_BITS;
  private static final long TIMEOUT_MILLIS = 10_000;

  private final PartitionLog log;
  private final String nodeId;
  private final LongSupplier leadingTerm;
  private final IntSupplier featureLevel;
  private final Executor blocking;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Term term;
  private long attemptsOf;
  private long attempts;

  /** A term in which this process writes. */
  private static final class Term {
    final long leaderTerm;
    final FencedWriter writer;
    SecurityState state;
    long nextSeqNo;

    Term(long leaderTerm, FencedWriter writer, SecurityState state, long nextSeqNo) {
      this.leaderTerm = leaderTerm;
      this.writer = writer;
      this.state = state;
      this.nextSeqNo = nextSeqNo;
    }
  }

  /**
   * @param leadingTerm the term in which this coordinator leads the cluster; 0 for none
   * @param featureLevel of the cluster
   * @param blocking runs reads of the log
   */
  SecurityWriter(
      PartitionLog log,
      String nodeId,
      LongSupplier leadingTerm,
      IntSupplier featureLevel,
      Executor blocking) {
    this.log = log;
    this.nodeId = nodeId;
    this.leadingTerm = leadingTerm;
    this.featureLevel = featureLevel;
    this.blocking = blocking;
  }

  /**
   * Decides and appends.
   *
   * @throws ApiException the command is refused; 421 when this coordinator does not lead; 503 when
   *     the log failed
   */
  SecurityCommands.Applied carryOut(SecurityCommand command) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Term now = term();
      return switch (SecurityDecisions.decide(now.state, command)) {
        case SecurityDecisions.Decision.Refused(var error) -> throw new ApiException(error);
        case SecurityDecisions.Decision.Nothing() ->
            new SecurityCommands.Applied(now.state.version(), false);
        case SecurityDecisions.Decision.Change(var event, boolean created) -> {
          append(now, event);
          yield new SecurityCommands.Applied(now.state.version(), created);
        }
      };
    } finally {
      lock.unlock();
    }
  }

  private Term term() throws InterruptedException {
    long leaderTerm = leadingTerm.getAsLong();
    if (leaderTerm == 0) {
      throw LeaderErrors.notLeading();
    }
    Term now = term;
    if (now == null || now.leaderTerm != leaderTerm || !now.writer.isOpen()) {
      now = begin(leaderTerm);
      term = now;
    }
    return now;
  }

  private Term begin(long leaderTerm) throws InterruptedException {
    attempts = attemptsOf == leaderTerm ? attempts + 1 : 0;
    attemptsOf = leaderTerm;
    if (attempts >= MAX_ATTEMPTS) {
      throw LeaderErrors.unavailable("the security topic could not be written in this term");
    }
    FencedWriter writer =
        new FencedWriter(
            log, (leaderTerm << ATTEMPT_BITS) + attempts, nodeId, blocking, (_, _) -> {});
    CompletableFuture<FencedWriter.Outcome> fenced = new CompletableFuture<>();
    try {
      writer.appendFence(fenced::complete);
      return switch (await(fenced)) {
        case FencedWriter.Outcome.Accepted(long offset, long _) ->
            replayed(leaderTerm, writer, offset);
        case FencedWriter.Outcome.Rejected(var reason) -> throw LeaderErrors.unavailable(reason);
        case FencedWriter.Outcome.Unknown(var reason) -> throw LeaderErrors.unavailable(reason);
      };
    } catch (LogException | MalformedRecordException | UnreadableRecordException e) {
      writer.close("the security topic failed");
      throw LeaderErrors.unavailable("the security topic failed: " + e.getMessage());
    }
  }

  private Term replayed(long leaderTerm, FencedWriter writer, long fenceOffset)
      throws LogException {
    SecurityFold fold = new SecurityFold();
    TermFence fence = new TermFence();
    TermFence.Verdict own =
        FencedReplay.upTo(log, 0, fenceOffset, fence, stored -> fold.add(stored.record().value()));
    if (!writer.open(fence, own)) {
      throw LeaderErrors.unavailable(writer.closedReason());
    }
    return new Term(leaderTerm, writer, fold.state(), fence.nextSeqNo());
  }

  private void append(Term now, SecurityEvent event) throws InterruptedException {
    if (event.since() > featureLevel.getAsInt()) {
      throw needsLevel(event.since());
    }
    RawRecord record =
        RecordHeader.data(
            now.writer.term(),
            now.nextSeqNo,
            event.entity().getBytes(StandardCharsets.UTF_8),
            Json.write(event));
    CompletableFuture<FencedWriter.Outcome> appended = new CompletableFuture<>();
    try {
      if (!now.writer.append(record, appended::complete)) {
        throw LeaderErrors.unavailable(now.writer.closedReason());
      }
    } catch (LogException.Full e) {
      throw LeaderErrors.unavailable("the log accepts no appends: " + e.getMessage());
    }
    switch (await(appended)) {
      case FencedWriter.Outcome.Accepted _ -> {
        now.nextSeqNo++;
        now.state = now.state.apply(event);
      }
      case FencedWriter.Outcome.Rejected(var reason) -> throw LeaderErrors.unavailable(reason);
      case FencedWriter.Outcome.Unknown(var reason) -> {
        now.writer.close(reason);
        throw LeaderErrors.unknownOutcome(reason);
      }
    }
  }

  /** The error for a change that processes of the cluster may not be able to read. */
  static ApiException needsLevel(int level) {
    return new ApiException(
        ErrorBody.illegalArgument("this change needs feature level " + level + " of the cluster"));
  }

  private static FencedWriter.Outcome await(CompletableFuture<FencedWriter.Outcome> outcome)
      throws InterruptedException {
    try {
      return outcome.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (TimeoutException e) {
      return new FencedWriter.Outcome.Unknown("no answer within " + TIMEOUT_MILLIS + " ms");
    }
  }
}
