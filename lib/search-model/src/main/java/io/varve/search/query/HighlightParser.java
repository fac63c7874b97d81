package io.varve.search.query;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.query.Highlight.Boundary;
import io.varve.search.query.Highlight.Cutting;
import io.varve.search.query.Highlight.Options;
import io.varve.search.query.Highlight.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Parses {@code highlight}. The options of a field override the global ones. */
final class HighlightParser {

  private static final Options DEFAULT =
      new Options(
          "unified",
          new Tags(List.of("<em>"), List.of("</em>")),
          new Cutting(100, 5, false, 0, Boundary.SENTENCE, null, true),
          null,
          List.of(),
          true,
          false,
          -1);

  private static final Tags STYLED =
      new Tags(
          List.of(
              "<em class=\"hlt1\">",
              "<em class=\"hlt2\">",
              "<em class=\"hlt3\">",
              "<em class=\"hlt4\">",
              "<em class=\"hlt5\">",
              "<em class=\"hlt6\">",
              "<em class=\"hlt7\">",
              "<em class=\"hlt8\">",
              "<em class=\"hlt9\">",
              "<em class=\"hlt10\">"),
          List.of("</em>"));

  private HighlightParser() {}

  static Highlight parse(JsonValue value) {
    if (!(value instanceof Obj object)) {
      throw value.refused(
          "Expected [START_OBJECT] in [highlight] but found [" + value.token() + "]");
    }
    Fields fields = new Fields("highlight", object);
    JsonValue named = fields.take("fields");
    Options global = options(fields, DEFAULT);
    fields.refuseUnknown();
    List<Highlight.Field> list = new ArrayList<>();
    switch (named) {
      case null -> {}
      case Obj byName -> addFields(byName, global, list);
      case Arr array ->
          array
              .items()
              .forEach(item -> {
                if (!(item instanceof Obj one) || one.fields().size() != 1) {
                  throw new ApiException(
                      ErrorBody.illegalArgument(
                          "[highlight] can be a single object with any number of fields or an"
                              + " array where each entry is an object with a single field"));
                }
                addFields(one, global, list);
              });
      default -> throw named.refused("[highlight] failed to parse field [fields]");
    }
    return new Highlight(list);
  }

  private static void addFields(Obj byName, Options global, List<Highlight.Field> into) {
    byName
        .fields()
        .forEach((name, definition) -> {
          if (!(definition instanceof Obj object)) {
            throw definition.refused("[highlight] field [" + name + "] has to be an object");
          }
          Fields fields = new Fields("highlight_field", object);
          List<String> matched = fields.takeStrings("matched_fields");
          // Used by {@code fvh} only.
          var _ = fields.takeInt("fragment_offset", -1);
          Options options = options(fields, global);
          fields.refuseUnknown();
          into.add(
              new Highlight.Field(
                  name,
                  new Options(
                      options.type(),
                      options.tags(),
                      options.cutting(),
                      options.query(),
                      matched,
                      options.requireFieldMatch(),
                      options.encodeHtml(),
                      options.maxAnalyzerOffset())));
        });
  }

  private static Options options(Fields fields, Options base) {
    String type = fields.takeString("type");
    if (type != null && !List.of("unified", "plain", "fvh").contains(type)) {
      throw new ApiException(ErrorBody.illegalArgument("unknown highlighter type [" + type + "]"));
    }
    String encoder = fields.takeString("encoder");
    JsonValue query = fields.take("highlight_query");
    // Has no effect, because fragments are always taken from the source.
    var _ = fields.takeBoolean("force_source", false);
    var _ = fields.takeInt("phrase_limit", 256);
    var _ = fields.take("options");
    int maxOffset = fields.takeInt("max_analyzer_offset", base.maxAnalyzerOffset());
    return new Options(
        type == null ? base.type() : type,
        tags(fields, base.tags()),
        cutting(fields, base.cutting()),
        query == null ? base.query() : QueryParser.parse(query),
        base.matchedFields(),
        fields.takeBoolean("require_field_match", base.requireFieldMatch()),
        encoder == null ? base.encodeHtml() : encoder.equals("html"),
        maxOffset);
  }

  private static Tags tags(Fields fields, Tags base) {
    String schema = fields.takeString("tags_schema");
    Tags tags = base;
    if (schema != null) {
      tags =
          switch (schema) {
            case "default" -> DEFAULT.tags();
            case "styled" -> STYLED;
            default ->
                throw new ApiException(
                    ErrorBody.illegalArgument("Unknown tag schema [" + schema + "]"));
          };
    }
    List<String> before = fields.takeStrings("pre_tags");
    List<String> after = fields.takeStrings("post_tags");
    if (!before.isEmpty() && after.isEmpty() && base.equals(DEFAULT.tags())) {
      throw new ApiException(
          ErrorBody.of(400, "parsing_exception", "pre_tags are set but post_tags are not set"));
    }
    return new Tags(
        before.isEmpty() ? tags.before() : before, after.isEmpty() ? tags.after() : after);
  }

  private static Cutting cutting(Fields fields, Cutting base) {
    String order = fields.takeString("order");
    String scanner = fields.takeString("boundary_scanner");
    String fragmenter = fields.takeString("fragmenter");
    if (fragmenter != null && !fragmenter.equals("simple") && !fragmenter.equals("span")) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "unknown fragmenter option [" + fragmenter + "] for the field"));
    }
    // Used by the boundary scan of {@code fvh} only.
    var _ = fields.takeInt("boundary_max_scan", 20);
    var _ = fields.takeString("boundary_chars");
    String locale = fields.takeString("boundary_scanner_locale");
    return new Cutting(
        fields.takeInt("fragment_size", base.fragmentSize()),
        fields.takeInt("number_of_fragments", base.numberOfFragments()),
        order == null ? base.byScore() : order.equalsIgnoreCase("score"),
        fields.takeInt("no_match_size", base.noMatchSize()),
        scanner == null ? base.boundary() : boundary(scanner),
        locale == null ? base.locale() : locale,
        fragmenter == null ? base.wholeSpans() : fragmenter.equals("span"));
  }

  private static Boundary boundary(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "sentence" -> Boundary.SENTENCE;
      case "word" -> Boundary.WORD;
      case "chars" -> Boundary.CHARS;
      default ->
          throw new ApiException(
              ErrorBody.illegalArgument("No enum constant of a boundary scanner: " + name));
    };
  }
}
