package io.varve.log.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.auth.SaslExtensionsCallback;
import org.apache.kafka.common.security.scram.ScramExtensionsCallback;

/**
 * Logs in with the user name of the configuration and the password in a file, which is read for
 * each connection. A changed password therefore needs no restart, and no configuration contains the
 * password.
 */
public final class PasswordFileLogin implements AuthenticateCallbackHandler {

  static final String USERNAME = "varve.sasl.username";
  static final String PASSWORD_FILE = "varve.sasl.password.file";

  private String username = "";
  private Path passwordFile = Path.of("");

  @Override
  public void configure(
      Map<String, ?> configs, String mechanism, List<AppConfigurationEntry> logins) {
    username = Objects.requireNonNull(configs.get(USERNAME), USERNAME).toString();
    passwordFile =
        Path.of(Objects.requireNonNull(configs.get(PASSWORD_FILE), PASSWORD_FILE).toString());
  }

  @Override
  public void handle(Callback[] callbacks) throws IOException, UnsupportedCallbackException {
    for (Callback callback : callbacks) {
      switch (callback) {
        case NameCallback name -> name.setName(username);
        case PasswordCallback password ->
            password.setPassword(Files.readString(passwordFile).strip().toCharArray());
        case ScramExtensionsCallback _, SaslExtensionsCallback _ -> {}
        default -> throw new UnsupportedCallbackException(callback);
      }
    }
  }

  @Override
  public void close() {
    // Nothing is kept open.
  }
}
