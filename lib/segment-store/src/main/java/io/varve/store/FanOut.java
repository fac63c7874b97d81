package io.varve.store;

import java.util.ArrayList;
import java.util.List;

/**
 * A tree that assigns to each copy the copy from which it fetches new files, so that no node sends
 * a byte more than twice, however many copies there are.
 *
 * <pre>
 *                  publisher
 *               /             \
 *             r0               r1          copy i has position i + 1,
 *           /    \           /    \        the publisher position 0;
 *         r2      r3       r4      r5      position p asks position (p - 1) / 2
 * </pre>
 *
 * Each node computes the tree from the order of the copies in the routing, without communication.
 * While nodes have different routings, some bytes may be sent more often; nothing else changes. The
 * depth is logarithmic in the number of copies.
 *
 * <p>A copy whose parent is absent or late asks the next one up the tree, and finally the
 * publisher: see {@link PeerWait}.
 */
public final class FanOut {

  /** The number of copies that ask the same copy. */
  public static final int ARITY = 2;

  private FanOut() {}

  /**
   * The copies that {@code mine} asks, in order, before it asks the publisher.
   *
   * @param copies the copies that need the files, in an order known to all nodes; the publisher is
   *     not included
   * @return empty if {@code mine} asks the publisher directly or is not among the copies
   */
  public static <T> List<T> before(List<T> copies, T mine) {
    List<T> asked = new ArrayList<>();
    for (int place = parent(copies.indexOf(mine) + 1); place > 0; place = parent(place)) {
      asked.add(copies.get(place - 1));
    }
    return asked;
  }

  private static int parent(int place) {
    return place == 0 ? 0 : (place - 1) / ARITY;
  }
}
