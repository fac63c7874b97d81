package io.varve.cluster;

import io.varve.names.Wildcard;
import io.varve.rpc.ErrorBody;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of other clusters to which this process may connect: coordinators, data nodes and
 * brokers. These addresses come from a cluster setting or from another cluster. Without such a
 * list, a user could therefore make this process connect to any address in its network.
 *
 * @param patterns of {@code host:port}, in which {@code *} matches any number of characters
 */
public record RemoteAddresses(List<String> patterns) {

  /** Every address is allowed. */
  public static final RemoteAddresses ANY = new RemoteAddresses(List.of("*"));

  /** No address is allowed. */
  public static final RemoteAddresses NONE = new RemoteAddresses(List.of());

  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+):([0-9]{1,5})");
  private static final int MAX_PORT = 65_535;

  public RemoteAddresses {
    patterns = patterns.stream().map(pattern -> pattern.toLowerCase(Locale.ROOT)).toList();
  }

  /**
   * The addresses that a process allows.
   *
   * @param patterns null if none are configured; then all addresses are allowed without security,
   *     and none with security
   */
  public static RemoteAddresses configured(
      @Nullable List<String> patterns, ProcessCredentials credentials) {
    if (patterns != null) {
      return new RemoteAddresses(patterns);
    }
    return credentials instanceof ProcessCredentials.None ? ANY : NONE;
  }

  /** Whether the text consists only of a host and a port. */
  public static boolean isAddress(String text) {
    var parts = ADDRESS.matcher(text);
    if (!parts.matches()) {
      return false;
    }
    int port = Integer.parseInt(parts.group(2));
    return port >= 1 && port <= MAX_PORT;
  }

  public boolean allow(String address) {
    String lower = address.toLowerCase(Locale.ROOT);
    return isAddress(address)
        && patterns.stream().anyMatch(pattern -> Wildcard.matches(pattern, lower));
  }

  /**
   * Checks addresses before a connection is made to any of them.
   *
   * @param addresses separated by commas
   * @throws RemoteCluster.RefusedException one of them is not allowed
   */
  public void require(String addresses) throws RemoteCluster.RefusedException {
    for (String address : Arrays.asList(addresses.split("\\s*,\\s*", -1))) {
      if (!allow(address.strip())) {
        throw new RemoteCluster.RefusedException(
            ErrorBody.illegalArgument(
                "the address ["
                    + address
                    + "] of another cluster is not allowed by [varve.remote-addresses]"));
      }
    }
  }
}
