package io.varve.host;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.apache.lucene.util.Unwrappable;
import org.jspecify.annotations.Nullable;

/**
 * A view of another file system. While it is full, writes through an output stream, which Lucene
 * always uses, fail with the operating system's error message.
 */
final class FillableFiles extends FileSystemProvider {

  private final FileSystemProvider inner;
  private final FileSystem system;
  private volatile boolean full;

  FillableFiles(FileSystem inner) {
    this.inner = inner.provider();
    this.system = new View(inner);
  }

  void full(boolean now) {
    full = now;
  }

  /** Returns the same file in this view. */
  Path wrap(Path real) {
    return (Path)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Path.class, Unwrappable.class},
            (_, method, arguments) -> call(real, method, arguments));
  }

  private @Nullable Object call(Path real, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getName().equals("getFileSystem")) {
      return system;
    }
    if (method.getDeclaringClass() == Unwrappable.class) {
      return real;
    }
    Object[] unwrapped = arguments == null ? new Object[0] : arguments.clone();
    for (int i = 0; i < unwrapped.length; i++) {
      unwrapped[i] = unwrapped[i] instanceof Path path ? unwrap(path) : unwrapped[i];
    }
    try {
      Object answer = method.invoke(real, unwrapped);
      return answer instanceof Path path ? wrap(path) : answer;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Path unwrap(Path path) {
    return path instanceof Unwrappable<?> wrapped && wrapped.unwrap() instanceof Path real
        ? real
        : path;
  }

  @Override
  public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
    return new FilterOutputStream(inner.newOutputStream(unwrap(path), options)) {
      @Override
      public void write(int oneByte) throws IOException {
        requireRoom(path);
        out.write(oneByte);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        requireRoom(path);
        out.write(bytes, offset, length);
      }
    };
  }

  private void requireRoom(Path path) throws IOException {
    if (full) {
      throw new IOException(path + ": No space left on device");
    }
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return inner.newByteChannel(unwrap(path), options, attributes);
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return inner.newFileChannel(unwrap(path), options, attributes);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    DirectoryStream<Path> paths =
        inner.newDirectoryStream(unwrap(folder), path -> filter.accept(wrap(path)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return StreamSupport.stream(paths.spliterator(), false)
            .map(FillableFiles.this::wrap)
            .iterator();
      }

      @Override
      public void close() throws IOException {
        paths.close();
      }
    };
  }

  @Override
  public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
    inner.createDirectory(unwrap(folder), attributes);
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    inner.createLink(unwrap(link), unwrap(existing));
  }

  @Override
  public void delete(Path path) throws IOException {
    inner.delete(unwrap(path));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    inner.copy(unwrap(source), unwrap(target), options);
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    inner.move(unwrap(source), unwrap(target), options);
  }

  @Override
  public boolean isSameFile(Path one, Path other) throws IOException {
    return inner.isSameFile(unwrap(one), unwrap(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return inner.isHidden(unwrap(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return inner.getFileStore(unwrap(path));
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    inner.checkAccess(unwrap(path), modes);
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return inner.getFileAttributeView(unwrap(path), type, options);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return inner.readAttributes(unwrap(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    return inner.readAttributes(unwrap(path), names, options);
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options)
      throws IOException {
    inner.setAttribute(unwrap(path), name, value, options);
  }

  @Override
  public String getScheme() {
    return "fillable";
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException();
  }

  private final class View extends FileSystem {

    private final FileSystem real;

    View(FileSystem real) {
      this.real = real;
    }

    @Override
    public FileSystemProvider provider() {
      return FillableFiles.this;
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public String getSeparator() {
      return real.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      return List.of();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      return real.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      return real.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
      return wrap(real.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
      PathMatcher matcher = real.getPathMatcher(pattern);
      return path -> matcher.matches(unwrap(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      return real.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() throws IOException {
      return real.newWatchService();
    }
  }
}
