package io.varve.standalone;

import io.varve.kafka.BrokerAcl;
import io.varve.kafka.BrokerSecurity;
import io.varve.log.kafka.KafkaSecurity;
import io.varve.process.SecretFile;
import io.varve.tls.CertificateFolder;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The files of a broker beside its certificate ({@link BrokerSecurity}). */
final class BrokerFiles {

  private BrokerFiles() {}

  /**
   * Writes the files.
   *
   * @param folder the folder with the certificate of the broker
   */
  static void write(Path folder, String cluster) throws IOException {
    Properties properties = new Properties();
    properties.putAll(properties(folder, cluster));
    StringWriter text = new StringWriter();
    properties.store(text, null);
    SecretFile.write(folder.resolve(BrokerSecurity.PROPERTIES_FILE), text.toString());
    SecretFile.write(
        folder.resolve(BrokerSecurity.ACLS_FILE),
        new KafkaAcls(cluster)
            .all().stream().map(BrokerAcl::line).collect(Collectors.joining("\n", "", "\n")));
  }

  private static Map<String, String> properties(Path folder, String cluster) {
    Map<String, String> properties =
        new TreeMap<>(
            KafkaSecurity.broker(
                new KafkaSecurity.PemFiles(
                    folder.resolve(CertificateFolder.NODE_FILE),
                    folder.resolve(CertificateFolder.TRUST_FILE),
                    folder.resolve(CertificateFolder.REVOCATIONS_FILE))));
    properties.putAll(authorization(cluster));
    return properties;
  }

  /** The settings of all brokers for authentication and authorization. */
  static Map<String, String> authorization(String cluster) {
    return new TreeMap<>(
        Map.of(
            "ssl.principal.mapping.rules",
            KafkaAcls.PRINCIPALS,
            "authorizer.class.name",
            "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users",
            KafkaAcls.principal(cluster, ServiceKind.BROKER)));
  }
}
