package io.varve.engine.search;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.query.HitExtras;
import io.varve.search.query.HitExtras.FieldSpec;
import io.varve.search.source.NamePattern;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Creates readers for the fields that a search requests, within the index's limits. */
final class FieldsOfHits {

  private final QueryContext context;

  FieldsOfHits(QueryContext context) {
    this.context = context;
  }

  FieldValuesPart of(HitExtras extras) {
    checkLimits(extras);
    FieldValuesPart part = new FieldValuesPart();
    addStored(extras.stored().names(), part);
    addDocValues(extras.docValues(), part);
    addFromSource(extras.fields(), part);
    return part;
  }

  private void checkLimits(HitExtras extras) {
    int most = context.index().number("index.max_docvalue_fields_search", 100);
    if (extras.docValues().size() > most) {
      throw SearchErrors.failed(
          ErrorBody.illegalArgument(
              "Trying to retrieve too many docvalue_fields. Must be less than or equal to: ["
                  + most
                  + "] but was ["
                  + extras.docValues().size()
                  + "]. This limit can be set by changing the [index.max_docvalue_fields_search]"
                  + " index level setting."));
    }
  }

  private void addStored(List<String> names, FieldValuesPart part) {
    for (String name : names) {
      if (name.startsWith("_")) {
        continue;
      }
      fields(name)
          .forEach((shown, field) -> {
            if (field.stored()) {
              part.addStored(shown, field.path(), value -> storedShown(field, value));
            }
          });
    }
  }

  /** Converts a stored value for the response: dates are stored as numbers. */
  private static Object storedShown(LeafField field, Object value) {
    if (field.type() == FieldType.DATE && value instanceof Long millis) {
      return field.dateFormat().print(millis);
    }
    if (field.type() == FieldType.BOOLEAN) {
      return value.equals("T") || (value instanceof Number bit && bit.intValue() != 0);
    }
    return value;
  }

  private void addDocValues(List<FieldSpec> specs, FieldValuesPart part) {
    for (FieldSpec spec : specs) {
      FieldValuesPart.Values meta = DocValueReading.meta(spec.name());
      if (meta != null) {
        part.add(spec.name(), meta);
      }
      boolean pattern = spec.name().indexOf('*') >= 0;
      fields(spec.name())
          .forEach((shown, field) -> {
            if (!pattern || field.docValues()) {
              part.add(shown, DocValueReading.of(field, spec.format()));
            }
          });
    }
  }

  private void addFromSource(List<FieldSpec> specs, FieldValuesPart part) {
    if (specs.isEmpty()) {
      return;
    }
    if (!context.mapping().sourceEnabled()) {
      throw SearchErrors.illegal(
          "Unable to retrieve the requested [fields] since _source is disabled in the mappings for"
              + " index ["
              + context.index().name()
              + "]");
    }
    for (FieldSpec spec : specs) {
      fields(spec.name())
          .forEach((shown, field) -> {
            if (field.type() != FieldType.TOKEN_COUNT) {
              part.addFromSource(shown, SourceReading.of(context.mapping(), field, spec.format()));
            } else if (field.docValues()) {
              // The source contains the text whose tokens were counted.
              part.add(shown, DocValueReading.of(field, spec.format()));
            }
          });
    }
  }

  /** The fields that match a name or pattern, by the names used in the response. */
  private Map<String, LeafField> fields(String name) {
    Map<String, LeafField> fields = new LinkedHashMap<>();
    if (name.indexOf('*') < 0) {
      LeafField exact = context.leaf(name);
      if (exact != null) {
        fields.put(name, exact);
      }
    } else {
      NamePattern names = new NamePattern(name);
      context
          .mapping()
          .leaves()
          .forEach((path, field) -> {
            if (names.matches(path)) {
              fields.put(path, field);
            }
          });
    }
    return fields;
  }
}
