package io.varve.cluster;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The indices of a cluster state: an immutable map by name that also finds an index by its uuid and
 * indices by an alias. To find or to change one of n indices costs O(log n), so the cost of an
 * event is nearly independent of the size of the cluster.
 *
 * <p>INVARIANT: a uuid maps to the name of the index that has it, and an alias to the names of all
 * indices that have it.
 */
final class IndexTable extends AbstractMap<String, IndexMetadata> {

  private final SharedMap<IndexMetadata> byName;
  private final SharedMap<String> nameByUuid;

  /** The sorted names of the indices with each alias, as keys. */
  private final SharedMap<SharedMap<String>> namesByAlias;

  private IndexTable(
      SharedMap<IndexMetadata> byName,
      SharedMap<String> nameByUuid,
      SharedMap<SharedMap<String>> namesByAlias) {
    this.byName = byName;
    this.nameByUuid = nameByUuid;
    this.namesByAlias = namesByAlias;
  }

  /** A table of these indices; the same instance if it is one already. */
  static IndexTable of(Map<String, IndexMetadata> indices) {
    if (indices instanceof IndexTable table) {
      return table;
    }
    Map<String, String> names = new TreeMap<>();
    SharedMap<SharedMap<String>> aliases = SharedMap.empty();
    for (IndexMetadata index : indices.values()) {
      names.put(index.uuid(), index.name());
      aliases = renamed(aliases, index.name(), Set.of(), index.aliases().keySet());
    }
    return new IndexTable(SharedMap.of(indices), SharedMap.of(names), aliases);
  }

  /** The index of that name had the former aliases, and has the current ones. */
  private static SharedMap<SharedMap<String>> renamed(
      SharedMap<SharedMap<String>> namesByAlias,
      String name,
      Set<String> former,
      Set<String> current) {
    SharedMap<SharedMap<String>> changed = namesByAlias;
    for (String alias : former) {
      SharedMap<String> names = changed.getOrDefault(alias, SharedMap.empty()).without(name);
      changed = names.isEmpty() ? changed.without(alias) : changed.with(alias, names);
    }
    for (String alias : current) {
      SharedMap<String> names = changed.getOrDefault(alias, SharedMap.empty());
      changed = changed.with(alias, names.with(name, name));
    }
    return changed;
  }

  private static Set<String> aliasesOf(@Nullable IndexMetadata index) {
    return index == null ? Set.of() : index.aliases().keySet();
  }

  /** This table with the index, which replaces another one of its name. */
  @SuppressWarnings("ReferenceEquality") // comparing shards would take longer than the change
  IndexTable with(IndexMetadata index) {
    String name = index.name();
    IndexMetadata former = byName.get(name);
    if (former == index) {
      return this;
    }
    SharedMap<String> names =
        former == null || former.uuid().equals(index.uuid()) ? nameByUuid : namesWithout(former);
    return new IndexTable(
        byName.with(name, index),
        name.equals(names.get(index.uuid())) ? names : names.with(index.uuid(), name),
        aliasesOf(former).equals(aliasesOf(index))
            ? namesByAlias
            : renamed(namesByAlias, name, aliasesOf(former), aliasesOf(index)));
  }

  /** This table with a change to each index of these uuids; unknown uuids change nothing. */
  <C> IndexTable with(
      Map<String, C> changesByUuid, BiFunction<IndexMetadata, C, IndexMetadata> change) {
    IndexTable changed = this;
    for (Entry<String, C> entry : changesByUuid.entrySet()) {
      IndexMetadata index = changed.ofUuid(entry.getKey()).orElse(null);
      if (index != null) {
        changed = changed.with(change.apply(index, entry.getValue()));
      }
    }
    return changed;
  }

  IndexTable without(String name) {
    IndexMetadata former = byName.get(name);
    return former == null
        ? this
        : new IndexTable(
            byName.without(name),
            namesWithout(former),
            renamed(namesByAlias, name, aliasesOf(former), Set.of()));
  }

  /** The uuid may already map to another name, because two indices can exchange their names. */
  private SharedMap<String> namesWithout(IndexMetadata index) {
    return index.name().equals(nameByUuid.get(index.uuid()))
        ? nameByUuid.without(index.uuid())
        : nameByUuid;
  }

  Optional<IndexMetadata> ofUuid(String uuid) {
    return Optional.ofNullable(nameByUuid.get(uuid)).map(byName::get);
  }

  /** The indices with that alias, by name. */
  List<IndexMetadata> ofAlias(String alias) {
    List<IndexMetadata> found = new ArrayList<>();
    for (String name : namesByAlias.getOrDefault(alias, SharedMap.empty()).keySet()) {
      IndexMetadata index = byName.get(name);
      if (index != null) {
        found.add(index);
      }
    }
    return found;
  }

  /** The changes that lead from the other table to this one. */
  IndexChanges since(IndexTable before) {
    List<IndexMetadata> former = new ArrayList<>();
    List<IndexMetadata> current = new ArrayList<>();
    SharedMap.differences(before.byName, byName, former::add, current::add);
    return new IndexChanges(former, current);
  }

  @Override
  public @Nullable IndexMetadata get(@Nullable Object name) {
    return byName.get(name);
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return byName.containsKey(name);
  }

  @Override
  public int size() {
    return byName.size();
  }

  @Override
  public Set<Entry<String, IndexMetadata>> entrySet() {
    return byName.entrySet();
  }

  @Override
  public void forEach(BiConsumer<? super String, ? super IndexMetadata> action) {
    byName.forEach(action);
  }
}
