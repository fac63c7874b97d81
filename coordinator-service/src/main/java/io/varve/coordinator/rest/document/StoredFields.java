package io.varve.coordinator.rest.document;

import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.Values;
import io.varve.search.source.SourceFilter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handles the stored fields that a read by id requests. Metadata is always returned. {@code
 * _source} in the list does not name a field but requests the source in addition.
 */
final class StoredFields {

  private static final String SOURCE = "_source";
  private static final Set<String> METADATA = Set.of("_id", "_index", "_routing", SOURCE);

  private StoredFields() {}

  /** Returns the fields that the request names; {@code null} if it does not have the parameter. */
  static @Nullable Set<String> of(RestRequest request) {
    List<String> names = request.list("stored_fields");
    return names.isEmpty() ? null : new LinkedHashSet<>(names);
  }

  /** Converts the value of {@code stored_fields} in a body; {@code null} if it is missing. */
  static @Nullable Set<String> of(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Collection<?> names -> {
        Set<String> set = new LinkedHashSet<>();
        names.forEach(name -> set.add(String.valueOf(name)));
        yield set;
      }
      default -> Set.of(value.toString());
    };
  }

  /** Returns the parts of the source to return: none if fields are requested without the source. */
  static SourceFilter source(@Nullable SourceFilter asked, @Nullable Set<String> fields) {
    if (asked != null) {
      return asked;
    }
    return fields == null || fields.contains(SOURCE) ? SourceFilter.ALL : SourceFilter.NONE;
  }

  /** Returns the fields that the shard has to read. */
  static Set<String> toRead(@Nullable Set<String> asked) {
    if (asked == null) {
      return Set.of();
    }
    Set<String> names = new HashSet<>(asked);
    names.removeAll(METADATA);
    return names;
  }

  /** Rejects names of objects, because objects have no stored value. */
  static void check(Set<String> names, Mapping mapping) {
    for (String name : names) {
      if (mapping.object(name) != null) {
        throw new ApiException(
            ErrorBody.illegalArgument("field [" + name + "] isn't a leaf field"));
      }
    }
  }

  /** Converts a stored value to its form in responses. */
  static Object shown(LeafField field, Object stored) {
    if (stored instanceof Map<?, ?> wrapped) {
      String base64 = String.valueOf(wrapped.get(GetResult.BYTES));
      return field.type().json().equals("binary")
          ? base64
          : ofBytes(field.type(), Base64.getDecoder().decode(base64));
    }
    return switch (field.type()) {
      case BOOLEAN -> stored.equals("T") || stored.equals(1) || stored.equals(1L);
      case DATE -> stored instanceof Number n ? field.dateFormat().print(n.longValue()) : stored;
      case SCALED_FLOAT ->
          stored instanceof Integer || stored instanceof Long
              ? ((Number) stored).doubleValue() / field.scalingFactor()
              : stored;
      default -> stored;
    };
  }

  private static Object ofBytes(FieldType type, byte[] bytes) {
    if (type != FieldType.IP) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    try {
      return Values.addressText(InetAddress.getByAddress(bytes));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of " + bytes.length + " bytes is stored", e);
    }
  }
}
