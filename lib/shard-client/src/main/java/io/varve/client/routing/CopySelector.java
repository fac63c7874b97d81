package io.varve.client.routing;

import io.varve.client.CopyAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides in which order the copies of a shard are asked. */
public interface CopySelector {

  /**
   * The copies that may be asked, each once, in order.
   *
   * @param started the started copies of one shard, the primary first
   * @param preference of the client, {@code null} for none
   */
  List<CopyAddress> order(List<CopyAddress> started, @Nullable String preference);
}
