package io.varve.standalone.compose;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The security of docker-compose.yml. A problem bears the rule's name:
 *
 * <pre>
 *   security      Varve's processes have security, and no plain connections to the brokers
 *   certificate   processes and brokers mount their own certificate and the authority at the paths
 *                 in their configuration
 *   users         coordinators create their first users from a mounted file
 *   listener      all listeners of a broker use TLS, and their clients need certificates
 *   permissions   a broker refuses everything that was not granted, except to other brokers
 *   private       files for administrators are not mounted: authorities, the password of admin
 * </pre>
 */
final class SecurityRules {

  private static final String AUTHORIZER =
      "org.apache.kafka.metadata.authorizer.StandardAuthorizer";
  private static final Set<String> PRIVATE =
      Set.of("authority.pem", "next-authority.pem", "admin.password");

  private final ComposeFile file;
  private final List<Problem> problems = new ArrayList<>();

  SecurityRules(ComposeFile file) {
    this.file = file;
  }

  List<Problem> problems() {
    for (ComposeFile.Service service : file.services()) {
      if (service.isProcess()) {
        checkProcess(service);
      } else if (service.isBroker()) {
        checkBroker(service);
      }
    }
    file.secretFiles()
        .forEach((name, path) ->
            require(
                !PRIVATE.contains(String.valueOf(Path.of(path).getFileName())),
                "private",
                "secrets." + name,
                "is for administrators only: " + path));
    return List.copyOf(problems);
  }

  private void require(boolean holds, String rule, String path, String text) {
    if (!holds) {
      problems.add(new Problem(rule, path, text));
    }
  }

  private void checkProcess(ComposeFile.Service service) {
    String path = "services." + service.name();
    Map<String, String> environment = service.environment();
    require(
        environment.getOrDefault("VARVE_SECURITY_ENABLED", "").equals("true"),
        "security",
        path,
        "has security switched off");
    require(
        !environment
            .getOrDefault("VARVE_KAFKA_SECURITY_PROTOCOL", "ssl")
            .equalsIgnoreCase("plaintext"),
        "security",
        path,
        "connects to its brokers without TLS");
    String folder = environment.getOrDefault("VARVE_SECURITY_TLS_FOLDER", "");
    requireCertificate(service, folder + "/node.pem", folder + "/ca.pem");
    require(
        service.secrets().containsKey(folder + "/crl.pem"),
        "certificate",
        path,
        "lacks the revoked certificates at " + folder + "/crl.pem");
    requireMounted(service, "VARVE_SECURITY_CLUSTER_SECRET_FILE", "certificate");
    if (service.command().contains(ScrapeRules.COORDINATOR)) {
      requireMounted(service, "VARVE_SECURITY_USERS_FILE", "users");
    }
  }

  private void requireMounted(ComposeFile.Service service, String variable, String rule) {
    require(
        service.secrets().containsKey(service.environment().getOrDefault(variable, "")),
        rule,
        "services." + service.name(),
        "lacks the secret at " + variable);
  }

  /** Each certificate names one process, so no two services share one. */
  private void requireCertificate(ComposeFile.Service service, String node, String authority) {
    String path = "services." + service.name();
    Map<String, String> mounted = service.secrets();
    require(
        mounted.containsKey(authority), "certificate", path, "lacks the authority at " + authority);
    String source = mounted.getOrDefault(node, "");
    require(!source.isEmpty(), "certificate", path, "lacks its certificate at " + node);
    require(
        file.secretFiles().getOrDefault(source, "").endsWith("/" + service.name() + "/node.pem"),
        "certificate",
        path,
        "has the certificate of another: " + source);
  }

  private void checkBroker(ComposeFile.Service service) {
    String path = "services." + service.name();
    Map<String, String> environment = service.environment();
    requireCertificate(
        service,
        environment.getOrDefault("KAFKA_SSL_KEYSTORE_LOCATION", ""),
        environment.getOrDefault("KAFKA_SSL_TRUSTSTORE_LOCATION", ""));
    checkListeners(path, environment);
    require(
        environment.getOrDefault("KAFKA_SSL_CLIENT_AUTH", "").equals("required"),
        "listener",
        path,
        "accepts clients without a certificate");
    require(
        environment.getOrDefault("KAFKA_AUTHORIZER_CLASS_NAME", "").equals(AUTHORIZER),
        "permissions",
        path,
        "has no authorizer");
    require(
        !environment.getOrDefault("KAFKA_ALLOW_EVERYONE_IF_NO_ACL_FOUND", "false").equals("true"),
        "permissions",
        path,
        "allows everyone what was not granted to anyone");
    require(
        environment.getOrDefault("KAFKA_SUPER_USERS", "").matches("User:[^;]+\\.broker"),
        "permissions",
        path,
        "has other super users than its brokers");
  }

  private void checkListeners(String path, Map<String, String> environment) {
    Map<String, String> protocols = new HashMap<>();
    for (String pair :
        environment.getOrDefault("KAFKA_LISTENER_SECURITY_PROTOCOL_MAP", "").split(",", -1)) {
      int colon = pair.indexOf(':');
      if (colon > 0) {
        protocols.put(pair.substring(0, colon), pair.substring(colon + 1));
      }
    }
    for (String listener : environment.getOrDefault("KAFKA_LISTENERS", "").split(",", -1)) {
      String name = listener.replaceFirst(":.*", "");
      require(
          protocols.getOrDefault(name, name).equals("SSL"),
          "listener",
          path,
          "has a listener without TLS: " + listener);
      // The image would require key stores with passwords.
      require(!name.endsWith("SSL"), "listener", path, "has a listener named " + name);
    }
  }
}
