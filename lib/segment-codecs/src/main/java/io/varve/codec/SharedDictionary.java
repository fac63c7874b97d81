package io.varve.codec;

import com.github.luben.zstd.ZstdDictDecompress;
import java.io.Closeable;
import java.util.HashMap;
import java.util.Map;

/**
 * A dictionary in native memory, once for all segments of this process that use it.
 *
 * <p>INVARIANT: the native form lives while at least one holder has not closed it; a decoder refers
 * to it only during a call.
 *
 * <p>All holders get the same {@link BlockMode} for the same coding, so that Lucene, which compares
 * modes by identity, copies blocks between segments that were encoded alike.
 */
final class SharedDictionary implements Closeable {

  private static final Map<Dictionary, SharedDictionary> OPEN = new HashMap<>();

  private final Dictionary dictionary;
  private final ZstdDictDecompress decoding;
  private final Map<Coding, BlockMode> modes = new HashMap<>();
  private int holders;

  private SharedDictionary(Dictionary dictionary) {
    this.dictionary = dictionary;
    this.decoding = new ZstdDictDecompress(dictionary.bytes());
  }

  /** To be closed once for each call. */
  static SharedDictionary hold(Dictionary dictionary) {
    synchronized (OPEN) {
      SharedDictionary shared = OPEN.computeIfAbsent(dictionary, SharedDictionary::new);
      shared.holders++;
      return shared;
    }
  }

  /** Dictionaries in native memory now. */
  static int open() {
    synchronized (OPEN) {
      return OPEN.size();
    }
  }

  Dictionary dictionary() {
    return dictionary;
  }

  ZstdDictDecompress decoding() {
    return decoding;
  }

  BlockMode mode(Coding coding) {
    synchronized (OPEN) {
      return modes.computeIfAbsent(coding, c -> new BlockMode(c, this));
    }
  }

  @Override
  public void close() {
    synchronized (OPEN) {
      holders--;
      if (holders == 0) {
        OPEN.remove(dictionary);
        decoding.close();
      }
    }
  }
}
