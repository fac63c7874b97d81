package io.varve.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class IndexAnalysisTest {

  private static final Tokens.Request ALL = new Tokens.Request(10_000, false, Set.of());

  private static List<String> terms(Analyzer analyzer, String text) {
    return Tokens.of(analyzer, List.of(text), ALL).stream().map(Tokens.Token::term).toList();
  }

  private static Analyzer chain(Object tokenizer, Object... filters) {
    return IndexAnalysis.DEFAULT.custom(List.of(), tokenizer, List.of(filters));
  }

  private static IndexAnalysis of(String... keysAndValues) {
    Map<String, String> settings = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      settings.put("index.analysis." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return IndexAnalysis.of(settings);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      textBlock =
          """
          standard   ¦ The QUICK-fox's    ¦ the quick fox's
          simple     ¦ The 2 QUICK        ¦ the quick
          whitespace ¦ The QUICK-fox      ¦ The QUICK-fox
          stop       ¦ the quick          ¦ quick
          keyword    ¦ The Quick          ¦ The Quick
          english    ¦ the running foxes  ¦ run fox
          french     ¦ les chevaux        ¦ cheval
          german     ¦ die Häuser laufen  ¦ haus lauf
          fingerprint¦ b a  B             ¦ a b
          pattern    ¦ a-B,c              ¦ a b c
          cjk        ¦ 日本語              ¦ 日本 本語
          """)
  void analyzersOfEveryIndexHaveTheirNames(String name, String text, String terms) {
    Analyzer analyzer = Objects.requireNonNull(IndexAnalysis.DEFAULT.analyzer(name));
    assertThat(String.join(" ", terms(analyzer, text))).isEqualTo(terms);
  }

  @ParameterizedTest
  @CsvSource({"simple_pattern", "simple_pattern_split"})
  void aPatternThatExpandsToMillionsOfStatesIsRefused(String tokenizer) {
    Map<String, String> hostile = Map.of("type", tokenizer, "pattern", "((a{1000}){1000}){1000}");
    assertThatThrownBy(() -> chain(hostile))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("is too complex");
  }

  /**
   * Words, some with a stop word, that only the analyzer of their language converts to these terms.
   */
  private static final String STEMS =
      """
      arabic     ¦ كبيرة                      ¦ كبير
      armenian   ¦ արծիվ                      ¦ արծ
      basque     ¦ zaldiak eta                ¦ zaldi
      bengali    ¦ বাড়ী                      ¦ বার
      brazilian  ¦ quilométricas ainda        ¦ quilometr
      bulgarian  ¦ градове                    ¦ град
      catalan    ¦ llengües amb               ¦ llengu
      cjk        ¦ 日本語                        ¦ 日本 本語
      czech      ¦ mluvime tímto              ¦ mluvim
      danish     ¦ skønhed                    ¦ skøn
      dutch      ¦ lichamelijke               ¦ licham
      english    ¦ running                    ¦ run
      estonian   ¦ teadaolevalt               ¦ teadaole
      finnish    ¦ edeltäjiinsä               ¦ edeltäj
      french     ¦ chevaux                    ¦ cheval
      galician   ¦ correspondente unha        ¦ correspond
      german     ¦ Häusern                    ¦ haus
      greek      ¦ αυτοκίνητα                 ¦ αυτοκινητ
      hindi      ¦ हिन्दी                     ¦ हिंद
      hungarian  ¦ babakocsi hogy             ¦ babakocs
      indonesian ¦ peledakan                  ¦ ledak
      irish      ¦ siopadóireacht             ¦ siopadóir
      italian    ¦ abbandonata degli          ¦ abbandonat
      latvian    ¦ tirgiem apakš              ¦ tirg
      lithuanian ¦ vaikų                      ¦ vaik
      norwegian  ¦ havnedistriktene ikke      ¦ havnedistrikt
      persian    ¦ کتابها                     ¦ كتاب
      portuguese ¦ quilométricas não          ¦ quilometric
      romanian   ¦ absența această            ¦ absenț
      russian    ¦ вечности если              ¦ вечност
      sorani     ¦ پیاوەکان                   ¦ پیاو
      spanish    ¦ chicana donde              ¦ chican
      swedish    ¦ jaktkarlarne inte          ¦ jaktkarl
      thai       ¦ ประเทศไทย                  ¦ ประเทศ ไทย
      turkish    ¦ ağacı                      ¦ ağaç
      """;

  record Stem(String language, String word, String terms) {}

  static List<Stem> stems() {
    return STEMS
        .lines()
        .map(line -> line.split("¦", -1))
        .map(cells -> new Stem(cells[0].strip(), cells[1].strip(), cells[2].strip()))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("stems")
  void everyLanguageHasItsOwnStems(Stem stem) {
    Analyzer analyzer = Objects.requireNonNull(IndexAnalysis.DEFAULT.analyzer(stem.language));
    assertThat(String.join(" ", terms(analyzer, stem.word))).isEqualTo(stem.terms);
  }

  @ParameterizedTest
  @MethodSource("stems")
  void noOtherLanguageHasTheSameStem(Stem stem) {
    assertThat(LanguageAnalyzers.names())
        .filteredOn(language -> !language.equals(stem.language))
        .filteredOn(language -> {
          Analyzer other = Objects.requireNonNull(IndexAnalysis.DEFAULT.analyzer(language));
          return String.join(" ", terms(other, stem.word)).equals(stem.terms);
        })
        .isEmpty();
  }

  @Test
  void everyLanguageHasATestedStem() {
    assertThat(stems().stream().map(Stem::language))
        .containsExactlyInAnyOrderElementsOf(LanguageAnalyzers.names());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      textBlock =
          """
          lowercase            ¦ A-b C     ¦ a b c
          letter               ¦ A1b       ¦ A b
          ngram                ¦ abc       ¦ a ab b bc c
          edge_ngram           ¦ abc       ¦ a ab
          path_hierarchy       ¦ /a/b      ¦ /a /a/b
          uax_url_email        ¦ me@x.org  ¦ me@x.org
          classic              ¦ me@x.org  ¦ me@x.org
          """)
  void tokenizersSplitText(String tokenizer, String text, String terms) {
    assertThat(String.join(" ", terms(chain(tokenizer), text))).isEqualTo(terms);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      textBlock =
          """
          uppercase            ¦ ab      ¦ AB
          asciifolding         ¦ éa      ¦ ea
          reverse              ¦ abc     ¦ cba
          porter_stem          ¦ running ¦ run
          kstem                ¦ foxes   ¦ fox
          apostrophe           ¦ x'in    ¦ x
          trim                 ¦ ab      ¦ ab
          unique               ¦ a a b   ¦ a b
          shingle              ¦ a b     ¦ a/a b/b
          word_delimiter_graph ¦ WiFi-5  ¦ Wi/Fi/5
          cjk_width            ¦ Ａ       ¦ A
          german_normalization ¦ weiß    ¦ weiss
          limit                ¦ a b     ¦ a
          fingerprint          ¦ b a b   ¦ a b
          """)
  void filtersChangeTokens(String filter, String text, String terms) {
    String separator = terms.contains("/") ? "/" : " ";
    assertThat(String.join(separator, terms(chain("whitespace", filter), text))).isEqualTo(terms);
  }

  @Test
  void filtersUseTheirParameters() {
    assertThat(terms(chain("standard", Map.of("type", "stop", "stopwords", "_french_")), "le vin"))
        .containsExactly("vin");
    assertThat(
            terms(
                chain("keyword", Map.of("type", "edge_ngram", "min_gram", 2, "max_gram", 3)),
                "abcd"))
        .containsExactly("ab", "abc");
    assertThat(
            terms(
                chain(
                    "standard",
                    Map.of("type", "keyword_marker", "keywords", List.of("running")),
                    "porter_stem"),
                "running jumping"))
        .containsExactly("running", "jump");
  }

  @Test
  void synonymsAreAnalyzedByThePrecedingFilters() {
    Analyzer analyzer =
        chain(
            "standard",
            "lowercase",
            Map.of("type", "synonym_graph", "synonyms", List.of("Fast, Quick => RAPID")));
    assertThat(terms(analyzer, "quick fox")).containsExactly("rapid", "fox");
  }

  @Test
  void anIndexDefinesItsOwn() {
    IndexAnalysis analysis =
        of(
            "char_filter.ph.type", "mapping",
            "char_filter.ph.mappings.0", "ph => f",
            "filter.few.type", "length",
            "filter.few.min", "2",
            "analyzer.mine.tokenizer", "standard",
            "analyzer.mine.char_filter", "ph",
            "analyzer.mine.filter.0", "lowercase",
            "analyzer.mine.filter.1", "few",
            "normalizer.plain.type", "custom",
            "normalizer.plain.filter", "lowercase,asciifolding");
    assertThat(terms(Objects.requireNonNull(analysis.analyzer("mine")), "A phone"))
        .containsExactly("fone");
    assertThat(analysis.normalized("plain", "f", "ÉT É").utf8ToString()).isEqualTo("et e");
    assertThat(analysis.defines("mine")).isTrue();
    assertThat(analysis.analyzer("other")).isNull();
  }

  @Test
  void theSameSettingsShareTheirAnalyzers() {
    assertThat(of("analyzer.a.type", "english")).isSameAs(of("analyzer.a.type", "english"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      textBlock =
          """
          analyzer.a.tokenizer     ¦ nope  ¦ Custom Analyzer [a] failed to find tokenizer under name [nope]
          analyzer.a.type          ¦ nope  ¦ Unknown analyzer type [nope] for [a]
          analyzer._a.type         ¦ simple¦ analyzer name must not start with '_'. got "_a"
          tokenizer.t.type         ¦ nope  ¦ Unknown tokenizer type [nope] for [t]
          filter.f.type            ¦ nope  ¦ Unknown filter type [nope] for [f]
          filter.f.type            ¦ synonym ¦ synonym requires either `synonyms` or `synonyms_path` to be configured
          char_filter.c.type       ¦ nope  ¦ Unknown char_filter type [nope] for [c]
          normalizer.n.filter      ¦ porter_stem ¦ Custom normalizer [n] may not use filter [porter_stem]
          """)
  void badSettingsAreRefused(String key, String value, String reason) {
    assertThatThrownBy(() -> of(key, value))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().reason()).isEqualTo(reason));
  }

  @Test
  void ngramsOfManyLengthsAreRefused() {
    assertThatThrownBy(() -> of("tokenizer.t.type", "ngram", "tokenizer.t.max_gram", "9"))
        .hasMessageContaining("[index.max_ngram_diff]");
  }

  @Test
  void moreTokensThanAllowedAreRefused() {
    Analyzer analyzer = Objects.requireNonNull(IndexAnalysis.DEFAULT.analyzer("standard"));
    assertThatThrownBy(
            () -> Tokens.of(analyzer, List.of("a b c"), new Tokens.Request(2, false, Set.of())))
        .hasMessageContaining("allowed maximum of [2]");
  }

  @Test
  void severalTextsHaveAPositionGap() {
    Analyzer analyzer = chain("standard");
    assertThat(
            Tokens.of(analyzer, List.of("a b", "c"), ALL).stream()
                .map(token -> token.place().position()))
        .containsExactly(0, 1, 102);
  }
}
