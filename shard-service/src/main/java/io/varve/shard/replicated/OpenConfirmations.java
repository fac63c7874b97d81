package io.varve.shard.replicated;

import io.varve.rpc.HoldsWire.Kind;
import io.varve.rpc.HoldsWire.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The versions for which copies are being asked, in the order of the first question. Not
 * thread-safe: guarded by the lock of {@link ReplicatedRecords}.
 */
final class OpenConfirmations {

  private final Map<Version, Confirmation> open = new LinkedHashMap<>();

  @Nullable Confirmation of(Version version) {
    return open.get(version);
  }

  int size() {
    return open.size();
  }

  List<Confirmation> all() {
    return List.copyOf(open.values());
  }

  void add(Confirmation confirmation) {
    open.put(confirmation.version(), confirmation);
  }

  void remove(Confirmation confirmation) {
    open.remove(confirmation.version());
  }

  /**
   * The versions for which that member must be asked, at most {@code most}; they count as asked.
   */
  List<Version> toAsk(Opening opening, int most) {
    List<Version> versions = new ArrayList<>();
    for (Confirmation confirmation : open.values()) {
      if (versions.size() < most && confirmation.ask(opening)) {
        versions.add(confirmation.version());
      }
    }
    return versions;
  }

  /** The member may be asked again for these versions. */
  void unanswered(Opening opening, List<Version> versions) {
    for (Version version : versions) {
      Confirmation confirmation = open.get(version);
      if (confirmation != null) {
        confirmation.unanswered(opening);
      }
    }
  }

  /** The seq_nos of the documents among them. */
  Set<Long> documents() {
    return open.keySet().stream()
        .filter(version -> version.kind() == Kind.DOCUMENT)
        .map(Version::seqNo)
        .collect(Collectors.toSet());
  }
}
