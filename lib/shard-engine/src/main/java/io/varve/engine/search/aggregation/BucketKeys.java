package io.varve.engine.search.aggregation;

import java.util.Arrays;

/**
 * Numbers the buckets of an aggregation: one per key within each bucket of the parent, in the order
 * of first occurrence. Implemented as a hash table with open addressing.
 */
final class BucketKeys {

  private final MemoryAccount memory;
  private long[] keys = new long[16];
  private int[] owners = new int[16];
  // Bucket + 1; 0 is an empty slot.
  private int[] slots = new int[32];
  private int size;
  // Buckets by parent bucket, computed on first access.
  private int[] starts = new int[0];
  private int[] byOwner = new int[0];

  BucketKeys(MemoryAccount memory) {
    this.memory = memory;
    memory.charge(16 * 12 + 32 * 4);
  }

  int size() {
    return size;
  }

  long key(int bucket) {
    return keys[bucket];
  }

  /** The bucket of a key, added if it is new. */
  int add(int owner, long key) {
    int mask = slots.length - 1;
    int slot = slot(owner, key) & mask;
    while (slots[slot] != 0) {
      int bucket = slots[slot] - 1;
      if (keys[bucket] == key && owners[bucket] == owner) {
        return bucket;
      }
      slot = (slot + 1) & mask;
    }
    if (size == keys.length) {
      growKeys();
    }
    keys[size] = key;
    owners[size] = owner;
    slots[slot] = ++size;
    if (size * 2L > slots.length) {
      growSlots();
    }
    return size - 1;
  }

  private static int slot(int owner, long key) {
    long mixed = (key + owner * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    return (int) (mixed >>> 32) ^ (int) mixed;
  }

  private void growKeys() {
    int larger = ArrayGrowth.size(keys.length, size);
    int before = keys.length;
    // Both arrays exist while one is copied to the other.
    keys = memory.allocate(larger * 8L, () -> Arrays.copyOf(keys, larger));
    memory.charge(before * -8L);
    owners = memory.allocate(larger * 4L, () -> Arrays.copyOf(owners, larger));
    memory.charge(before * -4L);
  }

  private void growSlots() {
    int before = slots.length;
    slots = memory.allocate(before * 8L, () -> new int[before * 2]);
    memory.charge(before * -4L);
    int mask = slots.length - 1;
    for (int bucket = 0; bucket < size; bucket++) {
      int slot = slot(owners[bucket], keys[bucket]) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = bucket + 1;
    }
  }

  /** The buckets within a bucket of the parent. No keys may be added afterwards. */
  int[] of(int owner) {
    if (byOwner.length != size) {
      group();
    }
    if (owner + 1 >= starts.length) {
      return new int[0];
    }
    return Arrays.copyOfRange(byOwner, starts[owner], starts[owner + 1]);
  }

  private void group() {
    int most = 0;
    for (int bucket = 0; bucket < size; bucket++) {
      most = Math.max(most, owners[bucket]);
    }
    memory.charge((most + 2 + size) * 4L);
    starts = new int[most + 2];
    for (int bucket = 0; bucket < size; bucket++) {
      starts[owners[bucket] + 1]++;
    }
    for (int owner = 0; owner <= most; owner++) {
      starts[owner + 1] += starts[owner];
    }
    int[] next = starts.clone();
    byOwner = new int[size];
    for (int bucket = 0; bucket < size; bucket++) {
      byOwner[next[owners[bucket]]++] = bucket;
    }
  }
}
