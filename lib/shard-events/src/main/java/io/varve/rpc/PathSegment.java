package io.varve.rpc;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** One segment of the path of a URL. */
public final class PathSegment {

  private PathSegment() {}

  /** The name as a segment: {@code a/b c} becomes {@code a%2Fb%20c}. */
  public static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
