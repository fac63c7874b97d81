package io.varve.engine.search;

import io.varve.events.Json;
import io.varve.search.hits.ShardHit;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.query.Highlight;
import io.varve.search.source.NamePattern;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/** Fetches {@code highlight} of a hit: fragments of its texts with matching words marked. */
final class HighlightPart implements HitPart {

  /** A field to highlight. */
  private record Wanted(String shown, LeafField field, Highlight.Options options, Query query) {}

  private final QueryContext context;
  private final List<Wanted> wanted = new ArrayList<>();

  HighlightPart(
      QueryContext context,
      QueryTranslator translator,
      Highlight highlight,
      io.varve.search.query.Query query) {
    this.context = context;
    Query own = context.aside(() -> translator.translate(query));
    for (Highlight.Field field : highlight.fields()) {
      io.varve.search.query.Query other = field.options().query();
      boolean byVectors = field.options().type().equals("fvh");
      Query marked = other == null ? own : context.aside(() -> translator.translate(other));
      fields(field.name())
          .forEach((shown, leaf) -> {
            if (byVectors && !leaf.termVector().contains("positions_offsets")) {
              throw SearchErrors.illegal(
                  "the field ["
                      + shown
                      + "] should be indexed with term vector with position offsets to be used"
                      + " with fast vector highlighter");
            }
            wanted.add(new Wanted(shown, leaf, field.options(), marked));
          });
    }
  }

  private Map<String, LeafField> fields(String name) {
    Map<String, LeafField> fields = new LinkedHashMap<>();
    if (name.indexOf('*') < 0) {
      LeafField exact = context.leaf(name);
      if (exact != null) {
        fields.put(name, exact);
      }
      return fields;
    }
    NamePattern names = new NamePattern(name);
    context
        .mapping()
        .leaves()
        .forEach((path, field) -> {
          boolean text = field.type().isText() || field.type() == FieldType.KEYWORD;
          if (text && names.matches(path)) {
            fields.put(path, field);
          }
        });
    return fields;
  }

  @Override
  public boolean needsSource() {
    return true;
  }

  @Override
  public Set<String> storedFields() {
    Set<String> names = new HashSet<>();
    wanted.forEach(one -> {
      if (one.field.stored()) {
        names.add(one.field.path());
      }
    });
    return names;
  }

  @Override
  public ShardHit.@Nullable Part of(HitContext hit) throws IOException {
    Map<String, List<String>> shown = new LinkedHashMap<>();
    for (Wanted one : wanted) {
      List<String> texts = texts(hit, one.field);
      if (texts.isEmpty()) {
        continue;
      }
      List<String> fragments =
          new FieldHighlighter(context, one.field, one.options, one.query).mark(hit.id, texts);
      if (!fragments.isEmpty()) {
        shown.put(one.shown, fragments);
      }
    }
    return shown.isEmpty() ? null : new ShardHit.Part("highlight", Json.write(shown));
  }

  /** The field's indexed texts: keywords that are too long are excluded. */
  private List<String> texts(HitContext hit, LeafField field) {
    List<Object> values =
        field.stored()
            ? hit.stored.getOrDefault(field.path(), List.of())
            : hit.tree().scalars(SourceReading.sourcePath(context.mapping(), field));
    return values.stream()
        .map(Object::toString)
        .filter(text -> field.type() != FieldType.KEYWORD || text.length() <= field.ignoreAbove())
        .toList();
  }
}
