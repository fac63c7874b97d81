package io.varve.coordinator.rest.index;

import io.varve.names.Wildcard;
import io.varve.rest.DidYouMean;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statistics that a request selects.
 *
 * @param sections the selected metrics
 * @param fields patterns of fields that are listed individually
 * @param groups patterns of search groups
 */
public record StatsRequest(
    Set<String> sections, Fields fields, List<String> groups, String level, Files files) {

  /**
   * Options for the statistics of files.
   *
   * @param sizes whether sizes are shown by kind of file
   * @param unloaded whether segments of closed copies are counted
   */
  public record Files(boolean sizes, boolean unloaded) {
    static final Files NONE = new Files(false, false);
  }

  /** Patterns of fields. */
  public record Fields(List<String> fielddata, List<String> completion) {}

  /** Requests all sections, without individual fields. */
  public static StatsRequest everything() {
    return new StatsRequest(
        StatsJson.names(), new Fields(List.of(), List.of()), List.of(), "indices", Files.NONE);
  }

  /** Reads the metrics in the path of {@code _stats}. */
  public static StatsRequest of(RestRequest request) {
    return of(request, "metric", List.of("cluster", "indices", "shards"), "indices");
  }

  /**
   * @param metrics the name of the parameter that selects the sections
   */
  public static StatsRequest of(
      RestRequest request, String metrics, List<String> levels, String level) {
    List<String> fields = request.list("fields");
    List<String> fielddata = request.list("fielddata_fields");
    List<String> completion = request.list("completion_fields");
    StatsRequest wanted =
        new StatsRequest(
            sections(request, metrics),
            new Fields(
                fielddata.isEmpty() ? fields : fielddata,
                completion.isEmpty() ? fields : completion),
            request.list("groups"),
            request.param("level", level),
            new Files(
                request.flag("include_segment_file_sizes", false),
                request.flag("include_unloaded_segments", false)));
    request.list("types");
    if (!levels.contains(wanted.level())) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "level parameter must be one of ["
                  + String.join("] or [", levels)
                  + "] but was ["
                  + wanted.level()
                  + "]"));
    }
    return wanted;
  }

  private static Set<String> sections(RestRequest request, String parameter) {
    Set<String> asked = new LinkedHashSet<>(request.list(parameter));
    if (asked.isEmpty() || asked.equals(Set.of("_all"))) {
      return StatsJson.names();
    }
    if (asked.contains("_all")) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "request ["
                  + request.path()
                  + "] contains _all and individual metrics ["
                  + String.join(",", asked)
                  + "]"));
    }
    requireKnown(request, asked, StatsJson.names(), "metric");
    return asked;
  }

  /**
   * @param what the term in the error message: {@code metric} or {@code index metric}
   */
  public static void requireKnown(
      RestRequest request, Collection<String> asked, Collection<String> known, String what) {
    List<String> unknown = asked.stream().filter(name -> !known.contains(name)).sorted().toList();
    if (unknown.isEmpty()) {
      return;
    }
    List<String> parts =
        unknown.stream().map(name -> "[" + name + "]" + DidYouMean.hint(name, known)).toList();
    throw new ApiException(
        ErrorBody.illegalArgument(
            "request ["
                + request.path()
                + "] contains unrecognized "
                + what
                + (parts.size() > 1 ? "s" : "")
                + ": "
                + String.join(", ", parts)));
  }

  boolean has(String section) {
    return sections.contains(section);
  }

  static boolean matches(List<String> patterns, @Nullable String name) {
    return name != null
        && patterns.stream()
            .anyMatch(pattern -> pattern.equals("_all") || Wildcard.matches(pattern, name));
  }
}
