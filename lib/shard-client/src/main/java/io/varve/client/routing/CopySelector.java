package io.varve.client.routing;

import io.varve.client.CopyAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which copy of a shard is asked first, and which next when it fails. */
public interface CopySelector {

  /**
   * The copies that may be asked, each once, in the order of asking.
   *
   * @param started the started copies of one shard, the primary first
   * @param preference what the client prefers, {@code null} for nothing
   */
  List<CopyAddress> order(List<CopyAddress> started, @Nullable String preference);
}
