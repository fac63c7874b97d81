package io.varve.kafka;

import java.io.IOException;
import java.util.Locale;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A permission at a broker, from every host.
 *
 * @param principal Kafka's name of the user, such as {@code User:books.coordinator}
 * @param prefixed whether the name is the beginning of the names of all resources that are meant
 */
public record BrokerAcl(
    String principal, Operation operation, Resource resource, boolean prefixed, String name) {

  private static final int WORDS = 5;
  private static final String PREFIXED = "prefixed";
  private static final String LITERAL = "literal";

  /** An operation, by its name in Kafka. Reading and writing include {@link #DESCRIBE}. */
  public enum Operation {
    READ,
    WRITE,
    CREATE,

    /** Of a topic or of its records. */
    DELETE,
    DESCRIBE,
    DESCRIBE_CONFIGS
  }

  /** The kind of what is used. */
  public enum Resource {
    TOPIC,
    GROUP
  }

  /** One line of text: {@code User:books.coordinator read topic prefixed varve.books.ops.} */
  public String line() {
    return String.join(
        " ",
        principal,
        operation.name().toLowerCase(Locale.ROOT),
        resource.name().toLowerCase(Locale.ROOT),
        prefixed ? PREFIXED : LITERAL,
        name);
  }

  /**
   * @throws IOException the line is malformed
   */
  static BrokerAcl parse(String line) throws IOException {
    String[] words = line.split(" ", -1);
    if (words.length != WORDS || !(words[3].equals(PREFIXED) || words[3].equals(LITERAL))) {
      throw new IOException("malformed permission [" + line + "]");
    }
    try {
      return new BrokerAcl(
          words[0],
          Operation.valueOf(words[1].toUpperCase(Locale.ROOT)),
          Resource.valueOf(words[2].toUpperCase(Locale.ROOT)),
          words[3].equals(PREFIXED),
          words[4]);
    } catch (IllegalArgumentException e) {
      throw new IOException("malformed permission [" + line + "]: " + e.getMessage(), e);
    }
  }

  AclBinding binding() {
    return new AclBinding(
        new ResourcePattern(
            ResourceType.valueOf(resource.name()),
            name,
            prefixed ? PatternType.PREFIXED : PatternType.LITERAL),
        new AccessControlEntry(
            principal, "*", AclOperation.valueOf(operation.name()), AclPermissionType.ALLOW));
  }

  /** The call of Kafka's {@code kafka-acls.sh} that creates it. */
  public String command(String bootstrapServer) {
    return String.join(
        " ",
        "kafka-acls.sh --bootstrap-server",
        bootstrapServer,
        "--command-config admin.properties --add --allow-principal",
        principal,
        "--operation",
        camelCase(operation.name()),
        "--" + resource.name().toLowerCase(Locale.ROOT),
        name,
        "--resource-pattern-type",
        prefixed ? PREFIXED : LITERAL);
  }

  private static String camelCase(String name) {
    StringBuilder text = new StringBuilder();
    for (String word : name.split("_", -1)) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }
}
