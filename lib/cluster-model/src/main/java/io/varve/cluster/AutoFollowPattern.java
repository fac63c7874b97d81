package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.varve.names.Wildcard;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A rule by which new indices of another cluster are followed.
 *
 * <p>INVARIANT: an index whose uuid is in {@code handled} is not followed by this pattern, because
 * it existed when the pattern was put, or because it is or was followed. A follower that a user
 * deletes or unfollows is therefore not created again.
 *
 * @param remoteCluster the alias of the other cluster
 * @param leaderPatterns at least one; {@code *} stands for any characters
 * @param exclusionPatterns indices that match one of them are not followed
 * @param followPattern the name of a follower, in which {@link #LEADER_INDEX} stands for the name
 *     of its leader index; null for the same name
 * @param settings of the followers (full names), in addition to those of their leader indices
 * @param parameters null for the defaults
 * @param active whether indices are followed now; those that are created while the pattern is
 *     paused are followed later
 * @param handled uuids of leader indices
 */
public record AutoFollowPattern(
    String remoteCluster,
    List<String> leaderPatterns,
    List<String> exclusionPatterns,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String followPattern,
    Map<String, @Nullable String> settings,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable FollowParameters parameters,
    boolean active,
    Set<String> handled) {

  /** Stands for the name of the leader index. */
  public static final String LEADER_INDEX = "{{leader_index}}";

  public AutoFollowPattern {
    leaderPatterns = List.copyOf(leaderPatterns);
    exclusionPatterns = List.copyOf(exclusionPatterns);
    settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    handled = Collections.unmodifiableSet(new TreeSet<>(handled));
    if (leaderPatterns.isEmpty()) {
      throw new IllegalArgumentException("an auto-follow pattern of no leader index");
    }
  }

  /** Whether an index of that name is to be followed. */
  public boolean matches(String leaderIndex) {
    return leaderPatterns.stream().anyMatch(pattern -> Wildcard.matches(pattern, leaderIndex))
        && exclusionPatterns.stream().noneMatch(pattern -> Wildcard.matches(pattern, leaderIndex));
  }

  /** The name of the follower of an index of that name. */
  public String followerOf(String leaderIndex) {
    return followPattern == null ? leaderIndex : followPattern.replace(LEADER_INDEX, leaderIndex);
  }

  public AutoFollowPattern asActive(boolean nowActive) {
    return with(nowActive, handled);
  }

  /** A copy of this pattern with other {@link #handled}. */
  public AutoFollowPattern handling(Collection<String> added, Collection<String> removed) {
    Set<String> changed = new TreeSet<>(handled);
    changed.removeAll(removed);
    changed.addAll(added);
    return with(active, changed);
  }

  private AutoFollowPattern with(boolean nowActive, Set<String> nowHandled) {
    return new AutoFollowPattern(
        remoteCluster,
        leaderPatterns,
        exclusionPatterns,
        followPattern,
        settings,
        parameters,
        nowActive,
        nowHandled);
  }

  /** The patterns after these changes, by name; {@code null} removes a pattern. */
  static Map<String, AutoFollowPattern> changed(
      Map<String, AutoFollowPattern> patterns, Map<String, @Nullable AutoFollowPattern> changes) {
    Map<String, AutoFollowPattern> changed = new TreeMap<>(patterns);
    changes.forEach((name, pattern) -> {
      if (pattern == null) {
        changed.remove(name);
      } else {
        changed.put(name, pattern);
      }
    });
    return changed;
  }
}
