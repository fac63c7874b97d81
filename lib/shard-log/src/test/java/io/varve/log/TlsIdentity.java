package io.varve.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A key for 127.0.0.1 and its self-signed certificate, both also in PEM. Each name has one in a
 * JVM, because the tool that creates it is a process of its own.
 */
public record TlsIdentity(SSLContext context, String certificate, String key) {

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final Map<String, TlsIdentity> CREATED = new HashMap<>();

  public static TlsIdentity named(String name) throws Exception {
    synchronized (CREATED) {
      TlsIdentity identity = CREATED.get(name);
      if (identity == null) {
        identity = create(name);
        CREATED.put(name, identity);
      }
      return identity;
    }
  }

  private static TlsIdentity create(String name) throws Exception {
    Path folder = Files.createTempDirectory("varve-tls");
    try {
      return create(folder.resolve(name + ".p12"), name);
    } finally {
      Files.deleteIfExists(folder.resolve(name + ".p12"));
      Files.delete(folder);
    }
  }

  private static TlsIdentity create(Path store, String name) throws Exception {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-dname",
            "CN=" + name,
            "-ext",
            "san=ip:127.0.0.1",
            "-validity",
            "3650",
            "-storetype",
            "PKCS12",
            "-storepass",
            new String(PASSWORD),
            "-keystore",
            store.toString());
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(keytool.getInputStream().readAllBytes(), US_ASCII);
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException(output);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return new TlsIdentity(
        context,
        pem("CERTIFICATE", keys.getCertificate("server").getEncoded()),
        pem("PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded()));
  }

  private static String pem(String label, byte[] content) {
    return "-----BEGIN %s-----\n".formatted(label)
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
        + "\n-----END %s-----\n".formatted(label);
  }
}
