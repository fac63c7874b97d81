package io.varve.coordinator.security;

import io.varve.http.security.SecurityProperties;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The rules for new passwords, and their hashes. */
final class PasswordRules {

  private static final String BCRYPT = "\\$2[aby]\\$(0[4-9]|1[0-9])\\$[./A-Za-z0-9]{53}";

  private final PasswordEncoder encoder;
  private final int minLength;

  PasswordRules(PasswordEncoder encoder, int minLength) {
    this.encoder = encoder;
    this.minLength = minLength;
  }

  /**
   * @throws io.varve.rpc.ApiException 400: too short, or longer than what bcrypt reads
   */
  void require(String password) {
    int bytes = password.getBytes(StandardCharsets.UTF_8).length;
    if (password.length() < minLength || bytes > SecurityProperties.PASSWORD_MAX_BYTES) {
      throw RequestFields.refused(
          "a password has at least "
              + minLength
              + " characters and at most "
              + SecurityProperties.PASSWORD_MAX_BYTES
              + " bytes");
    }
  }

  String hash(String password) {
    return Objects.requireNonNull(encoder.encode(password));
  }

  /** A hash that a client computed itself, as the encoder stores it. */
  String bcrypt(String hash) {
    if (!hash.matches(BCRYPT)) {
      throw RequestFields.refused("[hash] is not one of bcrypt with a cost of 4 to 19");
    }
    return "{bcrypt}" + hash;
  }
}
