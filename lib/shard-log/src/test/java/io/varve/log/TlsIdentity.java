package io.varve.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A new key for 127.0.0.1 and its self-signed certificate. */
public record TlsIdentity(SSLContext context, String certificate) {

  private static final char[] PASSWORD = "changeit".toCharArray();

  /**
   * @param folder gets the key store
   */
  public static TlsIdentity create(Path folder, String name) throws Exception {
    Path store = folder.resolve(name + ".p12");
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
    return new TlsIdentity(context, pem(keys.getCertificate("server").getEncoded()));
  }

  private static String pem(byte[] certificate) {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate)
        + "\n-----END CERTIFICATE-----\n";
  }
}
