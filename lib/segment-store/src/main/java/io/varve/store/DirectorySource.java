package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** Reads segment files from a directory, by name. */
public record DirectorySource(Path directory) implements SegmentSource {

  @Override
  public InputStream open(SegmentFile file, long fromByte, long length) throws IOException {
    return FileRange.open(directory.resolve(file.name()), fromByte, length);
  }
}
