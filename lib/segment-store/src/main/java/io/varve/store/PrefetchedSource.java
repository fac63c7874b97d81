package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Serves files that were fetched together in one response, and delegates to another source for the
 * rest. A refresh creates about ten small files: one request for all of them costs a tenth of
 * separate ones.
 *
 * @param bytes complete files
 */
public record PrefetchedSource(Map<SegmentFile, byte[]> bytes, SegmentSource rest)
    implements SegmentSource {

  /**
   * Limits of a combined response.
   *
   * @param fileBytes the largest file; 0 disables combined responses
   * @param bytes the total, which is held in memory
   */
  public record Limits(long fileBytes, long bytes) {

    public static final Limits DEFAULT = new Limits(1 << 18, 1 << 22);
    public static final Limits NONE = new Limits(0, 0);

    public Limits {
      if (fileBytes < 0 || bytes < fileBytes || bytes > 1 << 28) {
        throw new IllegalArgumentException(
            "0 <= bytes of a file <= bytes of an answer <= "
                + (1 << 28)
                + ", was "
                + fileBytes
                + ", "
                + bytes);
      }
    }

    /** The files to fetch together, given all fetches in order. */
    public List<SegmentFile> together(List<CopyPlan.Fetch> fetches) {
      List<SegmentFile> chosen = new ArrayList<>();
      long left = bytes;
      for (CopyPlan.Fetch fetch : fetches) {
        long length = fetch.file().lengthBytes();
        if (fetch.presentBytes() == 0 && length <= fileBytes && length <= left) {
          chosen.add(fetch.file());
          left -= length;
        }
      }
      return chosen.size() > 1 ? chosen : List.of();
    }
  }

  @Override
  public InputStream open(SegmentFile file, long fromByte, long length) throws IOException {
    byte[] whole = bytes.get(file);
    return whole == null
        ? rest.open(file, fromByte, length)
        : new ByteArrayInputStream(whole, (int) fromByte, (int) length);
  }
}
