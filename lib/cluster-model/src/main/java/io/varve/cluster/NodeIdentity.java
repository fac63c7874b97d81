package io.varve.cluster;

import io.varve.events.FeatureLevels;
import io.varve.events.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The identity of this process.
 *
 * @param nodeId constant for the life of the data folder
 * @param incarnation new at every start, so that other processes detect the restart
 * @param featureLevels that this process supports
 */
public record NodeIdentity(
    String nodeId,
    String name,
    String incarnation,
    Set<String> roles,
    Map<String, String> attributes,
    FeatureLevels featureLevels) {

  private static final String FILE = "node.json";

  private record Stored(String nodeId) {}

  public NodeIdentity {
    roles = Collections.unmodifiableSortedSet(new TreeSet<>(roles));
    attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
  }

  public NodeIdentity(String nodeId, String name, String incarnation, Set<String> roles) {
    this(nodeId, name, incarnation, roles, Map.of(), FeatureLevels.OF_THIS_RELEASE);
  }

  /** This identity with attributes. */
  public NodeIdentity with(Map<String, String> given) {
    return new NodeIdentity(nodeId, name, incarnation, roles, given, featureLevels);
  }

  /** This identity with other feature levels. */
  public NodeIdentity at(FeatureLevels levels) {
    return new NodeIdentity(nodeId, name, incarnation, roles, attributes, levels);
  }

  /** This identity of a process that stops: it is a member, and takes no new work. */
  public NodeIdentity withoutRoles() {
    return new NodeIdentity(nodeId, name, incarnation, Set.of(), attributes, featureLevels);
  }

  /** Whether this process is a member; an earlier process of its node does not count. */
  public boolean isMemberOf(ClusterState state) {
    return state.node(nodeId).map(NodeInfo::incarnation).filter(incarnation::equals).isPresent();
  }

  /** Reads {@code node.json} in the data folder, or writes it with a new id. */
  public static NodeIdentity open(Path data, String name, Set<String> roles) throws IOException {
    Files.createDirectories(data);
    Path file = data.resolve(FILE);
    if (!Files.exists(file)) {
      write(file, new Stored(newId()));
    }
    String nodeId = Json.read(Files.readAllBytes(file), Stored.class).nodeId();
    return new NodeIdentity(nodeId, name, newId(), roles);
  }

  /**
   * Writes this id to a data folder without an id.
   *
   * @throws IOException the folder has another id
   */
  public static void requireId(Path data, String nodeId) throws IOException {
    Files.createDirectories(data);
    Path file = data.resolve(FILE);
    if (!Files.exists(file)) {
      write(file, new Stored(nodeId));
    }
    String found = Json.read(Files.readAllBytes(file), Stored.class).nodeId();
    if (!found.equals(nodeId)) {
      throw new IOException(
          "the certificate is that of the node [%s], but [%s] is the folder of the node [%s]"
              .formatted(nodeId, data, found));
    }
  }

  /** Short enough for the cat APIs, long enough to be unique. */
  private static String newId() {
    return UUID.randomUUID().toString().replace("-", "").substring(0, 22);
  }

  /** Writes atomically: an incomplete file after a crash would give this node a new id. */
  private static void write(Path file, Stored stored) throws IOException {
    Path temporary = file.resolveSibling(FILE + ".new");
    Files.write(temporary, Json.write(stored));
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
