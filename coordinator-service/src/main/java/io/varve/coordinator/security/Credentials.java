package io.varve.coordinator.security;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.AuthenticationConverter;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.authentication.www.BasicAuthenticationConverter;

/** Reads the header {@code Authorization}: {@code Basic} or {@code ApiKey <base64 of id:key>}. */
final class Credentials implements AuthenticationConverter {

  private static final String HEADER = "Authorization";
  private static final String API_KEY = "ApiKey ";

  private final BasicAuthenticationConverter basic =
      new BasicAuthenticationConverter(WebAuthenticationDetails::new);

  /** Null without the header. */
  @Override
  public @Nullable Authentication convert(HttpServletRequest request) {
    String header = request.getHeader(HEADER);
    if (header == null) {
      return null;
    }
    if (header.regionMatches(true, 0, API_KEY, 0, API_KEY.length())) {
      Users.KeyToken token = apiKey(header.substring(API_KEY.length()).strip());
      token.setDetails(new WebAuthenticationDetails(request));
      return token;
    }
    Authentication converted = basic.convert(request);
    if (converted == null) {
      throw new BadCredentialsException("the header Authorization has an unknown scheme");
    }
    return converted;
  }

  private static Users.KeyToken apiKey(String encoded) {
    try {
      String pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
      int colon = pair.indexOf(':');
      if (colon > 0) {
        return new Users.KeyToken(pair.substring(0, colon), pair.substring(colon + 1));
      }
    } catch (IllegalArgumentException e) {
      throw new BadCredentialsException("the API key is not base64", e);
    }
    throw new BadCredentialsException("the API key is not of the form id:key");
  }
}
