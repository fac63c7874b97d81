package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Fills the heap of another JVM on this machine until an allocation fails. It is loaded into that
 * JVM as an agent, so no circuit breaker accounts for what it allocates.
 */
public final class MemoryExhauster {

  private static final int BLOCK_BYTES = 256 << 10;

  private MemoryExhauster() {}

  /** Runs in the other JVM. */
  public static void agentmain(@Nullable String arguments) {
    byte[][] held = new byte[Integer.MAX_VALUE / BLOCK_BYTES][];
    for (int i = 0; i < held.length; i++) {
      held[i] = new byte[BLOCK_BYTES];
    }
    throw new IllegalStateException("the heap is larger than 2 GB");
  }

  /**
   * Exhausts the heap of that process and waits until it has exited.
   *
   * @param folder for the agent's jar
   */
  static void exhaust(ProcessHandle process, Path folder) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
    // Loading an agent fails when the process exits before it answers.
    assertThatThrownBy(() -> machine.loadAgent(jar(folder).toString()))
        .isInstanceOf(IOException.class);
    process.onExit().get(60, TimeUnit.SECONDS);
  }

  private static Path jar(Path folder) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Agent-Class", MemoryExhauster.class.getName());
    String entry = MemoryExhauster.class.getName().replace('.', '/') + ".class";
    Path jar = folder.resolve("exhauster.jar");
    try (InputStream code = MemoryExhauster.class.getResourceAsStream("/" + entry);
        OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.putNextEntry(new JarEntry(entry));
      code.transferTo(out);
      out.closeEntry();
    }
    return jar;
  }
}
