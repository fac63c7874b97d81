package io.varve.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Changes when the content of a file is replaced; a renamed file has another key.
 *
 * @param bytes -1 if there is no file
 */
public record FileStamp(long modifiedMillis, long bytes, String key) {

  private static final FileStamp MISSING = new FileStamp(0, -1, "");

  /**
   * @throws IOException there is no file, or it can't be read
   */
  public static FileStamp of(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new FileStamp(
        attributes.lastModifiedTime().toMillis(),
        attributes.size(),
        String.valueOf(attributes.fileKey()));
  }

  /** Returns the stamp of a file that need not exist. */
  public static FileStamp ofPossible(Path file) throws IOException {
    try {
      return of(file);
    } catch (NoSuchFileException e) {
      return MISSING;
    }
  }

  public boolean exists() {
    return bytes >= 0;
  }
}
