package io.varve.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Who asks whom for new files, so that nobody, and the publisher least of all, sends a byte more
 * than twice, however many copies there are.
 *
 * <pre>
 *                  publisher
 *               /             \
 *             r0               r1          copy i stands at place i + 1,
 *           /    \           /    \        the publisher at place 0;
 *         r2      r3       r4      r5      place p asks place (p - 1) / 2
 * </pre>
 *
 * All compute it from the order of the copies in the routing, so nobody has to be told. Two that
 * know different routings for a moment cost some bytes twice and nothing else. The way is as long
 * as the logarithm of the number of copies.
 *
 * <p>Whoever finds the copy before it gone or late asks the next on the way up, and at last the
 * publisher: see {@link PeerPatience}.
 */
public final class FanOut {

  /** Copies that ask the same one. */
  public static final int ARITY = 2;

  private FanOut() {}

  /**
   * Whom {@code mine} asks, in this order, before it asks the publisher.
   *
   * @param copies those that need the files, in an order that all know; the publisher is none
   * @return empty for one that asks the publisher at once, or is not among them
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
