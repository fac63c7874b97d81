package io.varve.search.query;

import static io.varve.search.query.QueryParser.boost;
import static io.varve.search.query.QueryParser.ended;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.query.FullTextQuery.LikeDocument;
import io.varve.search.query.FullTextQuery.LikeOptions;
import io.varve.search.query.FullTextQuery.MoreLikeThis;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses {@code more_like_this}. */
final class LikeQueries {

  private LikeQueries() {}

  static Query moreLikeThis(Fields fields) {
    List<String> names = fields.takeStrings("fields");
    boolean fieldsGiven = fields.object().fields().containsKey("fields");
    List<String> texts = new ArrayList<>();
    List<LikeDocument> documents = new ArrayList<>();
    likes(fields.take("like"), texts, documents);
    List<String> unlike = new ArrayList<>();
    List<LikeDocument> unlikeDocuments = new ArrayList<>();
    likes(fields.take("unlike"), unlike, unlikeDocuments);
    if (!unlikeDocuments.isEmpty()) {
      throw new ApiException(
          ErrorBody.illegalArgument("[more_like_this] takes texts alone as [unlike]"));
    }
    LikeOptions options =
        new LikeOptions(
            fields.takeInt("min_term_freq", 2),
            fields.takeInt("max_query_terms", 25),
            fields.takeInt("min_doc_freq", 5),
            fields.takeInt("max_doc_freq", Integer.MAX_VALUE),
            fields.takeInt("min_word_length", 0),
            fields.takeInt("max_word_length", 0),
            fields.takeStrings("stop_words"),
            fields.takeString("analyzer"),
            minimum(fields),
            fields.takeFloat("boost_terms", 0),
            fields.takeBoolean("include", false));
    var _ = fields.takeBoolean("fail_on_unsupported_field", true);
    float boost = boost(fields);
    if (texts.isEmpty() && documents.isEmpty()) {
      throw fields.object().refused("more_like_this requires 'like' to be specified");
    }
    if (fieldsGiven && names.isEmpty()) {
      throw fields.object().refused("more_like_this requires 'fields' to be non-empty");
    }
    return ended(fields, new MoreLikeThis(names, texts, documents, unlike, options, boost));
  }

  private static String minimum(Fields fields) {
    String minimum = fields.takeString("minimum_should_match");
    return minimum == null ? "30%" : minimum;
  }

  private static void likes(
      @Nullable JsonValue value, List<String> texts, List<LikeDocument> documents) {
    switch (value) {
      case null -> {}
      case Arr array -> array.items().forEach(item -> likes(item, texts, documents));
      case Scalar scalar -> texts.add(String.valueOf(scalar.value()));
      case Obj object -> {
        Fields fields = new Fields("more_like_this", object);
        String index = fields.takeString("_index");
        String id = fields.takeString("_id");
        String routing = fields.takeString("routing");
        fields.end();
        if (id == null) {
          throw object.refused("[more_like_this] takes documents by [_index] and [_id]");
        }
        documents.add(new LikeDocument(index, id, routing));
      }
    }
  }
}
