package io.varve.coordinator.rest.search;

import io.varve.client.routing.CopySelector;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A client's preference: {@code _shards:0,2} selects shards. The text after a bar, or a preference
 * without {@code _shards}, selects copies.
 *
 * @param shards the selected shards; empty for all
 * @param copies the preference for a {@link CopySelector}, or null for none
 */
public record ShardPreference(Set<Integer> shards, @Nullable String copies) {

  public static final ShardPreference NONE = new ShardPreference(Set.of(), null);

  private static final String SHARDS = "_shards:";

  public ShardPreference {
    shards = Set.copyOf(shards);
  }

  public static ShardPreference parse(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return NONE;
    }
    if (!text.startsWith(SHARDS)) {
      return new ShardPreference(Set.of(), text);
    }
    int bar = text.indexOf('|');
    String numbers = text.substring(SHARDS.length(), bar < 0 ? text.length() : bar);
    Set<Integer> shards = new TreeSet<>();
    for (String number : numbers.split(",", -1)) {
      try {
        shards.add(Integer.parseInt(number.strip()));
      } catch (NumberFormatException e) {
        throw new ApiException(
            ErrorBody.illegalArgument("no Preference for [" + text + "]: not a shard: " + number));
      }
    }
    String rest = bar < 0 ? null : text.substring(bar + 1);
    return new ShardPreference(shards, rest == null || rest.isEmpty() ? null : rest);
  }

  boolean allows(int shard) {
    return shards.isEmpty() || shards.contains(shard);
  }
}
