package io.varve.coordinator.rest.document;

import io.varve.client.Abort;
import io.varve.client.PrimaryCalls;
import io.varve.client.ShardClient;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.rpc.ApiException;
import io.varve.rpc.DocumentsWire.Result;
import io.varve.rpc.DocumentsWire.Wanted;
import io.varve.rpc.GetResult;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Determines the results of writes that were repeated, see {@link RepeatedWrite}: reads the
 * documents that exist already, to know whether the first attempt wrote them.
 */
final class RepeatedReads {

  private final ShardClient client;
  private final PrimaryCalls calls;

  RepeatedReads(ShardClient client, PrimaryCalls calls) {
    this.client = client;
    this.calls = calls;
  }

  /**
   * An attempt after one that was not answered.
   *
   * @param items as they were repeated
   * @param answers of the primary to them
   * @param first why the first attempt was not answered
   */
  record Repetition(List<WriteItem> items, List<WriteResult> answers, String first) {}

  List<WriteResult> results(PrimaryTarget target, Repetition repetition, Duration timeout)
      throws InterruptedException {
    List<WriteItem> items = repetition.items();
    List<WriteResult> answers = repetition.answers();
    List<Integer> conflicts =
        IntStream.range(0, answers.size())
            .filter(i -> RepeatedWrite.needsDocument(items.get(i), answers.get(i)))
            .boxed()
            .toList();
    List<GetResult> documents =
        read(target, conflicts.stream().map(i -> items.get(i).id()).toList(), timeout);
    List<WriteResult> results = new ArrayList<>(answers);
    results.replaceAll(answer -> RepeatedWrite.result(answer, null, repetition.first()));
    for (int i = 0; i < documents.size(); i++) {
      int item = conflicts.get(i);
      results.set(
          item, RepeatedWrite.result(answers.get(item), documents.get(i), repetition.first()));
    }
    return results;
  }

  /** Returns the newest versions of documents; empty if the primary does not answer for each. */
  private List<GetResult> read(PrimaryTarget target, List<String> ids, Duration timeout)
      throws InterruptedException {
    if (ids.isEmpty()) {
      return List.of();
    }
    List<Wanted> wanted = ids.stream().map(id -> new Wanted(id, Set.of())).toList();
    Abort abort = new Abort();
    try (PrimaryCalls.Pending _ = calls.ofTerm(target.copy().shard(), target.term(), abort)) {
      List<Result> results =
          client.get(
              target.copy(),
              new ShardClient.DocumentsCall(wanted, true, ReadDemand.NONE, abort),
              timeout);
      List<GetResult> documents = new ArrayList<>();
      for (Result result : results) {
        if (result instanceof Result.Read(var read)) {
          documents.add(read);
        }
      }
      return documents.size() == ids.size() ? documents : List.of();
    } catch (ApiException | UnreachableException e) {
      return List.of();
    }
  }
}
