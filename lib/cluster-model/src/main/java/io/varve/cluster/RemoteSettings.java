package io.varve.cluster;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The settings {@code cluster.remote.<alias>.*} of a cluster that is followed. Files are names in
 * the folder that each process configures: see {@link RemoteFiles}.
 *
 * @param seeds {@code host:port} of the REST endpoints of its coordinators
 * @param tls whether they are called with HTTPS
 * @param authoritiesFile the authorities that may sign their certificates; empty: those that the
 *     JVM trusts
 * @param revocationsFile the list of the certificates that these authorities have revoked; empty:
 *     none are revoked
 * @param certificateFile the key and the certificate that are presented to them; empty: none
 * @param credentialsFile user name and password for them; empty: none
 * @param kafkaPropertiesFile properties of the clients of its brokers; empty: none
 */
public record RemoteSettings(
    String alias,
    List<String> seeds,
    boolean tls,
    String authoritiesFile,
    String revocationsFile,
    String certificateFile,
    String credentialsFile,
    String kafkaPropertiesFile) {

  public RemoteSettings {
    seeds = List.copyOf(seeds);
  }

  /** A cluster without TLS and credentials. */
  public RemoteSettings(String alias, List<String> seeds) {
    this(alias, seeds, false, "", "", "", "", "");
  }

  /** A cluster whose processes require no certificate. */
  public RemoteSettings(
      String alias,
      List<String> seeds,
      boolean tls,
      String authoritiesFile,
      String credentialsFile,
      String kafkaPropertiesFile) {
    this(alias, seeds, tls, authoritiesFile, "", "", credentialsFile, kafkaPropertiesFile);
  }

  /** Empty if the cluster has no seeds. */
  public static Optional<RemoteSettings> of(ClusterState state, String alias) {
    return Optional.ofNullable(ClusterSettings.remoteSeeds(state).get(alias))
        .map(seeds ->
            new RemoteSettings(
                alias,
                seeds,
                ClusterSettings.flag(state, "cluster.remote." + alias + ".tls.enabled"),
                text(state, alias, "tls.certificate_authorities_file"),
                text(state, alias, "tls.revocations_file"),
                text(state, alias, "tls.certificate_file"),
                text(state, alias, "credentials_file"),
                text(state, alias, "kafka.properties_file")));
  }

  private static String text(ClusterState state, String alias, String name) {
    String value = ClusterSettings.value(state, "cluster.remote." + alias + "." + name);
    return Objects.requireNonNullElse(value, "");
  }

  List<String> files() {
    return List.of(
        authoritiesFile, revocationsFile, certificateFile, credentialsFile, kafkaPropertiesFile);
  }
}
