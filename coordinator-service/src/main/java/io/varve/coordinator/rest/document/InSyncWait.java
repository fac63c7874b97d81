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
 * Which copies still have to show a write, while copies come and go.
 *
 * <pre>
 *   in sync   a copy that is started now: searches go to it
 *   shows     what it said once holds, for what a copy shows never goes back
 *   over      there is a primary, and all that are in sync show it
 * </pre>
 *
 * <p>A copy that fails meanwhile counts no more; one that is started meanwhile counts as well; one
 * that can't be reached counts as long as it is started, for others may still reach it.
 */
final class InSyncWait {

  private final Set<String> showing = new HashSet<>();
  private final Map<String, ErrorBody> last = new HashMap<>();

  void shows(CopyAddress copy) {
    showing.add(copy.copy().copyId());
  }

  void showsNot(CopyAddress copy, ErrorBody why) {
    last.put(copy.copy().copyId(), why);
  }

  /** Those that are to be asked. */
  List<CopyAddress> open(List<CopyAddress> started) {
    return started.stream().filter(copy -> !showing.contains(copy.copy().copyId())).toList();
  }

  boolean isOver(List<CopyAddress> started) {
    return started.stream().anyMatch(copy -> copy.copy().primary()) && open(started).isEmpty();
  }

  int showing(List<CopyAddress> started) {
    return started.size() - open(started).size();
  }

  /** Why it is not over. */
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
