package io.varve.client;

import io.varve.client.ShardClient.BulkAnswer;
import io.varve.client.ShardClient.BulkAnswers;
import io.varve.client.ShardClient.BulkPart;
import io.varve.events.MalformedRecordException;
import io.varve.rpc.NodeBulkWire;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;

/**
 * One request with bulks for several primaries of a node. Each part gets exactly one answer: from
 * its frame, from its abort, or, if the request ended without either, from the outcome of the
 * request. The request ends early when no part needs it any more.
 */
final class NodeBulkCall {

  private static final int OK = 200;

  private final List<BulkPart> parts;
  private final BulkAnswers answers;
  private final Abort whole = new Abort();
  private final NodeBulkWire.Frames frames = new NodeBulkWire.Frames();

  /** 1 for a part that has an answer. */
  private final AtomicIntegerArray claimed;

  /** Parts whose answer was not passed on yet. */
  private final CountDownLatch left;

  /** Whether the request continues although no part waits for it any more. */
  private volatile boolean aborted;

  NodeBulkCall(List<BulkPart> parts, BulkAnswers answers) {
    this.parts = parts;
    this.answers = answers;
    this.claimed = new AtomicIntegerArray(parts.size());
    this.left = new CountDownLatch(parts.size());
  }

  void run(NodeHttp http, NodeRequest request) throws InterruptedException {
    for (int part = 0; part < parts.size(); part++) {
      int number = part;
      parts.get(part).call().abort().endsBy(() -> abort(number));
    }
    try {
      NodeHttp.Answer answer = http.send(request, whole, this::arrived);
      int status = answer.status();
      others(part ->
          status == OK
              ? new BulkAnswer.Unknown(
                  "the answer of the node ended before that of the shard", true)
              : HttpShardClient.bulkAnswer(status, answer.body(), part.call().items().size()));
    } catch (MalformedRecordException e) {
      others(_ -> new BulkAnswer.Unknown("the answer is malformed: " + e.getMessage(), true));
    } catch (NodeHttp.NotConnectedException e) {
      others(part -> new BulkAnswer.NotWritten(HttpShardClient.unreachable(part.primary(), e)));
    } catch (IOException e) {
      others(part -> noAnswer(part, e));
    }
    left.await();
  }

  private static BulkAnswer noAnswer(BulkPart part, IOException failure) {
    return new BulkAnswer.Unknown(
        HttpShardClient.noAnswer(part.primary(), part.call(), failure), false);
  }

  private void abort(int part) {
    if (claimed.compareAndSet(part, 0, 1)) {
      aborted = true;
      passOn(part, noAnswer(parts.get(part), new IOException("aborted")));
    }
  }

  /** A piece of the response. Frames that arrive after the request was abandoned are ignored. */
  private void arrived(byte[] piece, int length) {
    frames.add(piece, length, this::arrived);
  }

  private void arrived(NodeBulkWire.Frame frame) {
    if (frame.part() >= parts.size()) {
      throw new MalformedRecordException(
          "part " + frame.part() + " of " + parts.size() + " is answered");
    }
    BulkAnswer answer;
    try {
      int items = parts.get(frame.part()).call().items().size();
      answer = HttpShardClient.bulkAnswer(frame.status(), frame.body(), items);
    } catch (MalformedRecordException e) {
      answer = new BulkAnswer.Unknown("the answer is malformed: " + e.getMessage(), true);
    }
    answered(frame.part(), answer);
  }

  private void others(Function<BulkPart, BulkAnswer> answer) {
    for (int part = 0; part < parts.size(); part++) {
      if (claimed.get(part) == 0) {
        answered(part, answer.apply(parts.get(part)));
      }
    }
  }

  private void answered(int part, BulkAnswer answer) {
    if (claimed.compareAndSet(part, 0, 1)) {
      passOn(part, answer);
    }
  }

  private void passOn(int part, BulkAnswer answer) {
    try {
      answers.answered(part, answer);
    } finally {
      left.countDown();
      // The last answer may be one that was being passed on during an abort.
      if (aborted && left.getCount() == 0) {
        whole.abort();
      }
    }
  }
}
