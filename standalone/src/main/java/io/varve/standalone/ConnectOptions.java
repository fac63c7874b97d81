package io.varve.standalone;

import io.varve.process.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of the commands that call a running Varve on this machine. */
public final class ConnectOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--port",
      paramLabel = "N",
      converter = IntRange.Port.class,
      defaultValue = "9200",
      description = "REST port of Varve on this machine (default: ${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      defaultValue = "admin",
      description = "the user, with --password-file (default: ${DEFAULT-VALUE})")
  private String user = "";

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "file with the password of the user, if Varve is secured")
  private Optional<Path> passwordFile = Optional.empty();

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "certificates to trust, if Varve is secured: security/ca.pem in its data folder")
  private Optional<Path> authorities = Optional.empty();

  public String url() {
    return (authorities.isPresent() ? "https://" : "http://") + address();
  }

  /** The {@code host:port} of Varve. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  /** The file with the certificates to trust. */
  public Optional<Path> authorities() {
    return authorities;
  }

  /**
   * The context of connections.
   *
   * @throws IOException the file with the certificates to trust can't be used
   */
  public Optional<SSLContext> tls() throws IOException {
    return authorities.isEmpty() ? Optional.empty() : Optional.of(Pem.trusting(authorities.get()));
  }

  /**
   * The password. It must not appear in any output.
   *
   * @throws ParameterException if the file cannot be read
   */
  public Optional<String> password() {
    return passwordFile.map(file -> {
      try {
        return Files.readString(file).strip();
      } catch (IOException e) {
        throw new ParameterException(
            command.commandLine(), "--password-file: " + file + " can't be read: " + e, e);
      }
    });
  }

  /** The header {@code Authorization}, if a password is given. */
  public Optional<String> authorization() {
    return password().map(password -> RestCalls.basic(user, password));
  }

  /**
   * Connects to Varve and checks that it admits the user.
   *
   * @param timeout see {@link RestCalls}
   * @throws IOException with the reason and a remedy, if Varve cannot be used
   */
  public RestCalls connect(Duration timeout) throws IOException {
    Optional<String> authorization = authorization();
    RestCalls rest = new RestCalls(url(), timeout, new RestAccess(() -> authorization, tls()));
    try {
      check(first(rest));
      return rest;
    } catch (IOException e) {
      rest.close();
      throw e;
    }
  }

  private RestCalls.Answer first(RestCalls rest) throws IOException {
    try {
      return rest.get("/");
    } catch (IOException e) {
      throw new IOException("no Varve answers at " + url() + " (" + e + ")", e);
    }
  }

  private void check(RestCalls.Answer answer) throws IOException {
    switch (answer.status()) {
      case 200 -> {}
      case 401 ->
          throw new IOException(
              authorization().isEmpty()
                  ? "Varve at " + url() + " is secured: name a user with --user and --password-file"
                  : "Varve at " + url() + " does not admit the user [" + user + "]");
      default -> throw new IOException(url() + " answers with status " + answer.status());
    }
  }
}
