package io.varve.search.source;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Copies a source token by token without the fields that are filtered out. The start of an object
 * that is not itself included is written only when its first included field is found.
 */
final class SourceFiltering {

  private static final JsonFactory JSON = new JsonFactory();

  private final List<NamePattern> includes;
  private final List<NamePattern> excludes;
  private final JsonParser in;
  private final JsonGenerator out;
  private final List<Opening> pending = new ArrayList<>();

  /** An object or array whose start has not been written yet. */
  private record Opening(@Nullable String name, boolean array) {}

  private SourceFiltering(SourceFilter filter, JsonParser in, JsonGenerator out) {
    this.includes = filter.includes().stream().map(NamePattern::new).toList();
    this.excludes = filter.excludes().stream().map(NamePattern::new).toList();
    this.in = in;
    this.out = out;
  }

  static byte[] apply(SourceFilter filter, byte[] source) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(source.length);
    try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), source);
        JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
      in.nextToken();
      SourceFiltering filtering = new SourceFiltering(filter, in, out);
      out.writeStartObject();
      filtering.fields("", filter.includes().isEmpty());
      out.writeEndObject();
    }
    return bytes.toByteArray();
  }

  /** Copies the fields of the object that was just entered. */
  private void fields(String path, boolean included) {
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = in.currentName();
      String fieldPath = path.isEmpty() ? name : path + "." + name;
      in.nextToken();
      if (any(excludes, fieldPath)) {
        in.skipChildren();
      } else {
        value(name, fieldPath, included || any(includes, fieldPath));
      }
    }
  }

  private void value(@Nullable String name, String path, boolean included) {
    JsonToken token = in.currentToken();
    if (!token.isStructStart()) {
      if (included) {
        open();
        name(name);
        if (token.isNumeric()) {
          // A number is copied as text, so that it keeps all its digits.
          out.writeNumber(in.getString());
        } else {
          out.copyCurrentEvent(in);
        }
      }
      return;
    }
    if (!included && includes.stream().noneMatch(p -> p.mayMatchBelow(path + "."))) {
      in.skipChildren();
      return;
    }
    boolean array = token == JsonToken.START_ARRAY;
    pending.add(new Opening(name, array));
    int depth = pending.size();
    if (included) {
      open();
    }
    if (array) {
      while (in.nextToken() != JsonToken.END_ARRAY) {
        value(null, path, included);
      }
    } else {
      fields(path, included);
    }
    close(array, depth);
  }

  private void open() {
    for (Opening opening : pending) {
      name(opening.name);
      if (opening.array) {
        out.writeStartArray();
      } else {
        out.writeStartObject();
      }
    }
    pending.clear();
  }

  /** Writes the end of an object or array, or drops its start if nothing was written into it. */
  private void close(boolean array, int depth) {
    if (pending.size() == depth) {
      pending.removeLast();
    } else if (array) {
      out.writeEndArray();
    } else {
      out.writeEndObject();
    }
  }

  private void name(@Nullable String name) {
    if (name != null) {
      out.writeName(name);
    }
  }

  private static boolean any(List<NamePattern> patterns, String path) {
    for (NamePattern pattern : patterns) {
      if (pattern.matches(path)) {
        return true;
      }
    }
    return false;
  }
}
