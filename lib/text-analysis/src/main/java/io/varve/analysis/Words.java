package io.varve.analysis;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.bg.BulgarianAnalyzer;
import org.apache.lucene.analysis.bn.BengaliAnalyzer;
import org.apache.lucene.analysis.br.BrazilianAnalyzer;
import org.apache.lucene.analysis.ca.CatalanAnalyzer;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.ckb.SoraniAnalyzer;
import org.apache.lucene.analysis.cz.CzechAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.et.EstonianAnalyzer;
import org.apache.lucene.analysis.eu.BasqueAnalyzer;
import org.apache.lucene.analysis.fa.PersianAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.ga.IrishAnalyzer;
import org.apache.lucene.analysis.gl.GalicianAnalyzer;
import org.apache.lucene.analysis.hi.HindiAnalyzer;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hy.ArmenianAnalyzer;
import org.apache.lucene.analysis.id.IndonesianAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.lt.LithuanianAnalyzer;
import org.apache.lucene.analysis.lv.LatvianAnalyzer;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.th.ThaiAnalyzer;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;
import org.jspecify.annotations.Nullable;

/**
 * Parses word lists in settings: explicit lists, or the stop words of a language such as {@code
 * _english_}.
 */
final class Words {

  private static final Map<String, Supplier<CharArraySet>> STOP_WORDS =
      Map.ofEntries(
          Map.entry("_arabic_", ArabicAnalyzer::getDefaultStopSet),
          Map.entry("_armenian_", ArmenianAnalyzer::getDefaultStopSet),
          Map.entry("_basque_", BasqueAnalyzer::getDefaultStopSet),
          Map.entry("_bengali_", BengaliAnalyzer::getDefaultStopSet),
          Map.entry("_brazilian_", BrazilianAnalyzer::getDefaultStopSet),
          Map.entry("_bulgarian_", BulgarianAnalyzer::getDefaultStopSet),
          Map.entry("_catalan_", CatalanAnalyzer::getDefaultStopSet),
          Map.entry("_cjk_", CJKAnalyzer::getDefaultStopSet),
          Map.entry("_czech_", CzechAnalyzer::getDefaultStopSet),
          Map.entry("_danish_", DanishAnalyzer::getDefaultStopSet),
          Map.entry("_dutch_", DutchAnalyzer::getDefaultStopSet),
          Map.entry("_english_", EnglishAnalyzer::getDefaultStopSet),
          Map.entry("_estonian_", EstonianAnalyzer::getDefaultStopSet),
          Map.entry("_finnish_", FinnishAnalyzer::getDefaultStopSet),
          Map.entry("_french_", FrenchAnalyzer::getDefaultStopSet),
          Map.entry("_galician_", GalicianAnalyzer::getDefaultStopSet),
          Map.entry("_german_", GermanAnalyzer::getDefaultStopSet),
          Map.entry("_greek_", GreekAnalyzer::getDefaultStopSet),
          Map.entry("_hindi_", HindiAnalyzer::getDefaultStopSet),
          Map.entry("_hungarian_", HungarianAnalyzer::getDefaultStopSet),
          Map.entry("_indonesian_", IndonesianAnalyzer::getDefaultStopSet),
          Map.entry("_irish_", IrishAnalyzer::getDefaultStopSet),
          Map.entry("_italian_", ItalianAnalyzer::getDefaultStopSet),
          Map.entry("_latvian_", LatvianAnalyzer::getDefaultStopSet),
          Map.entry("_lithuanian_", LithuanianAnalyzer::getDefaultStopSet),
          Map.entry("_norwegian_", NorwegianAnalyzer::getDefaultStopSet),
          Map.entry("_persian_", PersianAnalyzer::getDefaultStopSet),
          Map.entry("_portuguese_", PortugueseAnalyzer::getDefaultStopSet),
          Map.entry("_romanian_", RomanianAnalyzer::getDefaultStopSet),
          Map.entry("_russian_", RussianAnalyzer::getDefaultStopSet),
          Map.entry("_sorani_", SoraniAnalyzer::getDefaultStopSet),
          Map.entry("_spanish_", SpanishAnalyzer::getDefaultStopSet),
          Map.entry("_swedish_", SwedishAnalyzer::getDefaultStopSet),
          Map.entry("_thai_", ThaiAnalyzer::getDefaultStopSet),
          Map.entry("_turkish_", TurkishAnalyzer::getDefaultStopSet));

  private Words() {}

  /** The stop words of a definition, or the default if it has none. */
  static CharArraySet stopWords(ComponentOptions options, CharArraySet otherwise) {
    options.refuseFiles("stopwords_path");
    List<String> given = options.list("stopwords");
    boolean ignoreCase = options.flag("ignore_case", options.flag("stopwords_case", false));
    if (given == null) {
      return otherwise;
    }
    return resolved(given, ignoreCase);
  }

  private static CharArraySet resolved(Collection<String> given, boolean ignoreCase) {
    CharArraySet words = new CharArraySet(given.size(), ignoreCase);
    for (String word : given) {
      Supplier<CharArraySet> named = STOP_WORDS.get(word.toLowerCase(Locale.ROOT));
      if (named != null) {
        words.addAll(named.get());
      } else if (!word.equals("_none_")) {
        words.add(word);
      }
    }
    return words;
  }

  /** The word list under a key; null if it is not set. */
  static @Nullable CharArraySet list(ComponentOptions options, String key, boolean ignoreCase) {
    options.refuseFiles(key + "_path");
    List<String> given = options.list(key);
    return given == null ? null : new CharArraySet(given, ignoreCase);
  }

  /** Words excluded from stemming. */
  static CharArraySet stemExclusions(ComponentOptions options) {
    CharArraySet words = list(options, "stem_exclusion", false);
    return words == null ? CharArraySet.EMPTY_SET : words;
  }
}
