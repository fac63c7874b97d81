import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads the plugins of javac once for all modules of a build. By default each compilation loads
 * them anew, so the JVM loads and compiles Error Prone twice for each module.
 *
 * <p>javac creates a loader of this class for each compilation, because the pom has its option
 * {@code -XDprocloader}, and looks for the class among those of Maven's JVM, where the launcher
 * puts it. If Maven was started otherwise, javac does not find it and uses a loader of its own.
 */
public final class SharedProcessorLoader extends ClassLoader {

  private static final Map<List<String>, ClassLoader> LOADERS = new ConcurrentHashMap<>();

  /** The constructor that javac calls. */
  public SharedProcessorLoader(URL[] path, ClassLoader parent) {
    super(shared(path, parent));
  }

  private static ClassLoader shared(URL[] path, ClassLoader parent) {
    List<String> key = Arrays.stream(path).map(URL::toExternalForm).toList();
    return LOADERS.computeIfAbsent(key, absent -> new URLClassLoader(path, parent));
  }
}
