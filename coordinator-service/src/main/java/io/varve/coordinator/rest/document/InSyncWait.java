package io.varve.coordinator.rest.document;

import io.varve.client.CopyAddress;
import io.varve.coordinator.rest.document.Visibility.NotShown;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tracks the copies on which a write must still become visible, while copies fail and start.
 *
 * <pre>
 *   in sync   a copy that is started at present: it gets searches
 *   visible   stays visible once reported, because a copy's visible seq_no never decreases
 *   done      there is a primary, and all copies in sync show the write
 * </pre>
 *
 * <p>A copy that fails in the meantime no longer counts; one that starts in the meantime does. A
 * copy that cannot be reached counts while it is started, because others may still reach it.
 */
final class InSyncWait {

  private final Set<String> showing = new HashSet<>();
  private final Map<String, ErrorBody> last = new HashMap<>();

  void markVisible(CopyAddress copy) {
    showing.add(copy.copy().copyId());
  }

  void markNotVisible(CopyAddress copy, ErrorBody why) {
    last.put(copy.copy().copyId(), why);
  }

  /** Returns the copies that must be asked. */
  List<CopyAddress> open(List<CopyAddress> started) {
    return started.stream().filter(copy -> !showing.contains(copy.copy().copyId())).toList();
  }

  boolean isDone(List<CopyAddress> started) {
    return started.stream().anyMatch(copy -> copy.copy().primary()) && open(started).isEmpty();
  }

  int showing(List<CopyAddress> started) {
    return started.size() - open(started).size();
  }

  /** Returns the copies on which the write is not visible, each with the reason. */
  List<NotShown> notShown(List<CopyAddress> started) {
    List<NotShown> notShown = new ArrayList<>();
    for (CopyAddress copy : open(started)) {
      notShown.add(
          new NotShown(
              copy,
              last.getOrDefault(
                  copy.copy().copyId(),
                  ErrorBody.of(504, "visibility_timeout_exception", "there was no time to ask"))));
    }
    return notShown;
  }
}
