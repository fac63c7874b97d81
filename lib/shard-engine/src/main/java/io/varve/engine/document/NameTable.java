package io.varve.engine.document;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * Finds the numbers of an object's mapped names by their bytes. Names that are not plain ASCII are
 * not found.
 *
 * <p>Documents of an index mostly have their fields in the same order. The table therefore records
 * which name last followed each name, and the reader compares that one first. Threads may overwrite
 * each other's records: a wrong expectation only costs a look-up.
 */
final class NameTable {

  private static final byte[] NONE = new byte[0];

  /** By number; empty for names that are not found here. */
  private final byte[][] names;

  /** Open addressing: a number + 1, or 0 for an empty slot. */
  private final int[] slots;

  /** By number + 1. */
  private final int[] following;

  NameTable(Map<String, Integer> numbers) {
    names = new byte[numbers.size()][];
    slots = new int[Math.max(4, Integer.highestOneBit(Math.max(1, numbers.size())) * 4)];
    following = new int[numbers.size() + 1];
    numbers.forEach((name, number) -> {
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      boolean ascii = name.chars().allMatch(c -> c < 0x80);
      names[number] = ascii ? bytes : NONE;
      following[number + 1] = Math.min(number + 1, numbers.size() - 1);
      if (ascii) {
        int slot = slot(bytes, 0, bytes.length);
        while (slots[slot] != 0) {
          slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = number + 1;
      }
    });
  }

  int size() {
    return names.length;
  }

  private int slot(byte[] in, int from, int length) {
    int hash = length;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + in[i];
    }
    return (hash ^ (hash >>> 15)) & (slots.length - 1);
  }

  /** The number of a name, -1 if it is unknown. */
  int find(byte[] in, int from, int length) {
    int slot = slot(in, from, length);
    while (slots[slot] != 0) {
      byte[] name = names[slots[slot] - 1];
      if (Arrays.equals(name, 0, name.length, in, from, from + length)) {
        return slots[slot] - 1;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    return -1;
  }

  /** The number of the name that is expected after another one, or first after -1. */
  int expectedAfter(int number) {
    return following[number + 1];
  }

  /** The bytes of a name; an object without names has one of no bytes. */
  private byte[] name(int number) {
    return number < names.length ? names[number] : NONE;
  }

  int length(int number) {
    return name(number).length;
  }

  /** Whether the bytes from {@code from} on begin with this name, which has at least one byte. */
  boolean is(int number, byte[] in, int from) {
    byte[] name = name(number);
    return name.length > 0 && Arrays.equals(name, 0, name.length, in, from, from + name.length);
  }

  /** Remembers the order of two names. */
  void followed(int number, int next) {
    if (next >= 0) {
      following[number + 1] = next;
    }
  }
}
