package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk that can be filled to its last block and freed again. */
public interface SmallDisk extends AutoCloseable {

  /** The kind of disk that a test uses. */
  enum Kind {
    /** A file system whose writes fail while it is full. Works on every machine. */
    INJECTED {
      @Override
      public SmallDisk open(Path folder) throws IOException {
        return new Injected(folder);
      }
    },
    /** A real one: a tmpfs, which requires permission to mount. */
    TMPFS {
      @Override
      public SmallDisk open(Path folder) throws IOException, InterruptedException {
        return Tmpfs.mount(folder);
      }
    };

    /** Opens such a disk with {@code folder} as its root. */
    public abstract SmallDisk open(Path folder) throws IOException, InterruptedException;
  }

  /** The root of the disk, through which tests write to it. */
  Path folder();

  /** Fills the disk until nothing more can be written. */
  void fill() throws IOException;

  void makeRoom() throws IOException;

  @Override
  void close() throws IOException, InterruptedException;

  /** See {@link FillableFiles}. */
  final class Injected implements SmallDisk {

    private final FillableFiles files;
    private final Path folder;

    Injected(Path real) throws IOException {
      files = new FillableFiles(real.getFileSystem());
      folder = files.wrap(Files.createDirectories(real));
    }

    @Override
    public Path folder() {
      return folder;
    }

    @Override
    public void fill() {
      files.full(true);
    }

    @Override
    public void makeRoom() {
      files.full(false);
    }

    @Override
    public void close() {
      files.full(false);
    }
  }

  /** A disk of some megabytes, which is filled with one file. */
  final class Tmpfs implements SmallDisk {

    private static final int MEGABYTES = 12;

    private final Path folder;

    private Tmpfs(Path folder) {
      this.folder = folder;
    }

    static Tmpfs mount(Path folder) throws IOException, InterruptedException {
      assumeTrue(Files.isExecutable(Path.of("/usr/bin/mount")), "there is no mount(8) here");
      Path root = Files.createDirectories(folder);
      boolean mounted =
          run("mount", "-t", "tmpfs", "-o", "size=" + MEGABYTES + "m", "tmpfs", root.toString());
      assumeTrue(mounted, "a tmpfs can't be mounted here: that takes CAP_SYS_ADMIN");
      return new Tmpfs(root);
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    }

    @Override
    public Path folder() {
      return folder;
    }

    private Path filler() {
      return folder.resolve("filler");
    }

    @Override
    public void fill() throws IOException {
      byte[] block = new byte[4096];
      try (OutputStream out = Files.newOutputStream(filler())) {
        while (true) {
          out.write(block);
        }
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("No space left");
      }
    }

    @Override
    public void makeRoom() throws IOException {
      Files.delete(filler());
    }

    @Override
    public void close() throws IOException, InterruptedException {
      run("umount", "--lazy", folder.toString());
    }
  }
}
