package io.varve.cluster;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map sorted by its keys. A changed copy shares all but O(log n) entries with the map
 * that it was made from.
 *
 * <p>It is an AVL tree whose changes copy the path to the changed entry. INVARIANT: the heights of
 * the two subtrees of each node differ by at most one.
 */
final class SharedMap<V> extends AbstractMap<String, V> {

  private static final SharedMap<?> EMPTY = new SharedMap<>(null);

  private final @Nullable Node<V> root;
  private final Set<Entry<String, V>> entries = new Entries();

  private SharedMap(@Nullable Node<V> root) {
    this.root = root;
  }

  /** A node is also the map's entry. */
  private record Node<V>(
      String key, V value, @Nullable Node<V> left, @Nullable Node<V> right, int height, int size)
      implements Entry<String, V> {

    static <V> Node<V> of(String key, V value, @Nullable Node<V> left, @Nullable Node<V> right) {
      return new Node<>(
          key,
          value,
          left,
          right,
          1 + Math.max(heightOf(left), heightOf(right)),
          1 + sizeOf(left) + sizeOf(right));
    }

    Node<V> with(@Nullable Node<V> newLeft, @Nullable Node<V> newRight) {
      return of(key, value, newLeft, newRight);
    }

    @Override
    public String getKey() {
      return key;
    }

    @Override
    public V getValue() {
      return value;
    }

    @Override
    public V setValue(V newValue) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Entry<?, ?> entry
          && key.equals(entry.getKey())
          && Objects.equals(value, entry.getValue());
    }

    @Override
    public int hashCode() {
      return key.hashCode() ^ Objects.hashCode(value);
    }

    @Override
    public String toString() {
      return key + "=" + value;
    }
  }

  /** The entries in the order of their keys. */
  private final class Entries extends AbstractSet<Entry<String, V>> {
    @Override
    public Iterator<Entry<String, V>> iterator() {
      return new InOrder<>(root);
    }

    @Override
    public int size() {
      return SharedMap.this.size();
    }
  }

  private static final class InOrder<V> implements Iterator<Entry<String, V>> {
    private final Deque<Node<V>> path = new ArrayDeque<>();

    InOrder(@Nullable Node<V> root) {
      descend(root);
    }

    private void descend(@Nullable Node<V> from) {
      for (Node<V> node = from; node != null; node = node.left()) {
        path.push(node);
      }
    }

    @Override
    public boolean hasNext() {
      return !path.isEmpty();
    }

    @Override
    public Entry<String, V> next() {
      if (path.isEmpty()) {
        throw new NoSuchElementException();
      }
      Node<V> next = path.pop();
      descend(next.right());
      return next;
    }
  }

  @SuppressWarnings("unchecked")
  static <V> SharedMap<V> empty() {
    return (SharedMap<V>) EMPTY;
  }

  /** A map with these entries; the same instance if it is one already. */
  static <V> SharedMap<V> of(Map<String, V> map) {
    if (map instanceof SharedMap<V> shared) {
      return shared;
    }
    List<Entry<String, V>> sorted = List.copyOf(new TreeMap<>(map).entrySet());
    return new SharedMap<>(balanced(sorted, 0, sorted.size()));
  }

  private static <V> @Nullable Node<V> balanced(List<Entry<String, V>> sorted, int from, int to) {
    if (from == to) {
      return null;
    }
    int middle = (from + to) >>> 1;
    Entry<String, V> entry = sorted.get(middle);
    return Node.of(
        entry.getKey(),
        entry.getValue(),
        balanced(sorted, from, middle),
        balanced(sorted, middle + 1, to));
  }

  SharedMap<V> with(String key, V value) {
    return new SharedMap<>(with(root, key, value));
  }

  private static <V> Node<V> with(@Nullable Node<V> node, String key, V value) {
    if (node == null) {
      return Node.of(key, value, null, null);
    }
    int order = key.compareTo(node.key());
    if (order == 0) {
      return Node.of(key, value, node.left(), node.right());
    }
    return order < 0
        ? balance(node, with(node.left(), key, value), node.right())
        : balance(node, node.left(), with(node.right(), key, value));
  }

  /** This map without the key; the same instance if it lacks the key. */
  SharedMap<V> without(String key) {
    return containsKey(key) ? new SharedMap<>(without(root, key)) : this;
  }

  private static <V> @Nullable Node<V> without(@Nullable Node<V> node, String key) {
    if (node == null) {
      return null;
    }
    int order = key.compareTo(node.key());
    if (order < 0) {
      return balance(node, without(node.left(), key), node.right());
    }
    if (order > 0) {
      return balance(node, node.left(), without(node.right(), key));
    }
    if (node.left() == null) {
      return node.right();
    }
    if (node.right() == null) {
      return node.left();
    }
    Node<V> next = first(node.right());
    return balance(next, node.left(), without(node.right(), next.key()));
  }

  private static <V> Node<V> first(Node<V> node) {
    Node<V> first = node;
    for (Node<V> left = node.left(); left != null; left = left.left()) {
      first = left;
    }
    return first;
  }

  /** The entry of {@code node} above two trees whose heights differ by at most two. */
  private static <V> Node<V> balance(
      Node<V> node, @Nullable Node<V> left, @Nullable Node<V> right) {
    int lean = heightOf(left) - heightOf(right);
    if (left != null && lean > 1) {
      Node<V> inner = left.right();
      return inner == null || heightOf(left.left()) >= heightOf(inner)
          ? left.with(left.left(), node.with(inner, right))
          : inner.with(left.with(left.left(), inner.left()), node.with(inner.right(), right));
    }
    if (right != null && lean < -1) {
      Node<V> inner = right.left();
      return inner == null || heightOf(right.right()) >= heightOf(inner)
          ? right.with(node.with(left, inner), right.right())
          : inner.with(node.with(left, inner.left()), right.with(inner.right(), right.right()));
    }
    return node.with(left, right);
  }

  /**
   * Visits the values that only one of the maps has under their keys, as instances. What the maps
   * share is skipped, so the cost depends on the changes between them, not on their sizes, unless
   * the trees were rebalanced near their roots.
   */
  static <V> void differences(
      SharedMap<V> before, SharedMap<V> after, Consumer<V> onlyBefore, Consumer<V> onlyAfter) {
    differences(before.root, after.root, onlyBefore, onlyAfter);
  }

  @SuppressWarnings("ReferenceEquality") // what is shared is the same instance
  private static <V> void differences(
      @Nullable Node<V> before,
      @Nullable Node<V> after,
      Consumer<V> onlyBefore,
      Consumer<V> onlyAfter) {
    if (before == after) {
      return;
    }
    if (before != null && after != null && before.key().equals(after.key())) {
      differences(before.left(), after.left(), onlyBefore, onlyAfter);
      if (before.value() != after.value()) {
        onlyBefore.accept(before.value());
        onlyAfter.accept(after.value());
      }
      differences(before.right(), after.right(), onlyBefore, onlyAfter);
    } else {
      absent(before, after, onlyBefore);
      absent(after, before, onlyAfter);
    }
  }

  /** Visits the values of one tree that the other one does not have under the same key. */
  @SuppressWarnings("ReferenceEquality") // as above
  private static <V> void absent(
      @Nullable Node<V> here, @Nullable Node<V> there, Consumer<V> visitor) {
    SharedMap<V> other = new SharedMap<>(there);
    forEach(
        here,
        (key, value) -> {
          if (other.get(key) != value) {
            visitor.accept(value);
          }
        });
  }

  private static int heightOf(@Nullable Node<?> node) {
    return node == null ? 0 : node.height();
  }

  private static int sizeOf(@Nullable Node<?> node) {
    return node == null ? 0 : node.size();
  }

  /** The number of nodes on the longest path from the root. */
  int height() {
    return heightOf(root);
  }

  private @Nullable Node<V> find(@Nullable Object key) {
    if (!(key instanceof String name)) {
      return null;
    }
    Node<V> node = root;
    while (node != null) {
      int order = name.compareTo(node.key());
      if (order == 0) {
        return node;
      }
      node = order < 0 ? node.left() : node.right();
    }
    return null;
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    Node<V> node = find(key);
    return node == null ? null : node.value();
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return find(key) != null;
  }

  @Override
  public int size() {
    return sizeOf(root);
  }

  @Override
  public Set<Entry<String, V>> entrySet() {
    return entries;
  }

  @Override
  public void forEach(BiConsumer<? super String, ? super V> action) {
    forEach(root, action);
  }

  private static <V> void forEach(
      @Nullable Node<V> node, BiConsumer<? super String, ? super V> action) {
    if (node != null) {
      forEach(node.left(), action);
      action.accept(node.key(), node.value());
      forEach(node.right(), action);
    }
  }
}
