package io.varve.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The version of the REST dialect and the product that implements it. Clients choose their requests
 * by the version number and the distribution.
 */
public final class Build {

  public static final String DIALECT = "3.1.0";
  public static final String DISTRIBUTION = "opensearch";

  private static final Properties PROPERTIES = read();

  private Build() {}

  private static Properties read() {
    Properties properties = new Properties();
    try (InputStream in = Build.class.getResourceAsStream("/io/varve/rest/build.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }

  /** Varve's own version. */
  public static String hash() {
    return "varve-" + PROPERTIES.getProperty("varve");
  }

  /** The product version that older clients require; they check no other value. */
  public static Map<String, Object> otherVersion() {
    Map<String, Object> version = new LinkedHashMap<>();
    version.put("number", "7.10.2");
    version.put("build_flavor", "default");
    version.put("build_type", "tar");
    version.put("build_hash", hash());
    version.put("build_date", PROPERTIES.getProperty("time"));
    version.put("build_snapshot", false);
    version.put("lucene_version", "8.7.0");
    version.put("minimum_wire_compatibility_version", "6.8.0");
    version.put("minimum_index_compatibility_version", "6.0.0-beta1");
    return version;
  }

  public static Map<String, Object> version() {
    Map<String, Object> version = new LinkedHashMap<>();
    version.put("distribution", DISTRIBUTION);
    version.put("number", DIALECT);
    version.put("build_type", "tar");
    version.put("build_hash", hash());
    version.put("build_date", PROPERTIES.getProperty("time"));
    version.put("build_snapshot", PROPERTIES.getProperty("varve").endsWith("-SNAPSHOT"));
    version.put("lucene_version", PROPERTIES.getProperty("lucene"));
    version.put("minimum_wire_compatibility_version", "2.19.0");
    version.put("minimum_index_compatibility_version", "2.0.0");
    return version;
  }
}
