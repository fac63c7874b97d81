package io.varve.analysis;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
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
 * Creates the analyzers of languages, with their stop words and the words excluded from stemming.
 */
final class LanguageAnalyzers {

  private interface Stemming {
    Analyzer of(CharArraySet stopWords, CharArraySet stemExclusions);
  }

  private record Language(CharArraySet stopWords, Stemming analyzer) {}

  private static final class Known {
    private static final Map<String, Language> LANGUAGES = languages();
  }

  private LanguageAnalyzers() {}

  static Set<String> names() {
    return Known.LANGUAGES.keySet();
  }

  /** Returns null if there is no such language. */
  static @Nullable Analyzer of(String name, ComponentOptions options) {
    Language language = Known.LANGUAGES.get(name);
    return language == null
        ? null
        : language.analyzer.of(
            Words.stopWords(options, language.stopWords), Words.stemExclusions(options));
  }

  private static Map<String, Language> languages() {
    Map<String, Language> all = new TreeMap<>();
    all.put("arabic", new Language(ArabicAnalyzer.getDefaultStopSet(), ArabicAnalyzer::new));
    all.put("armenian", new Language(ArmenianAnalyzer.getDefaultStopSet(), ArmenianAnalyzer::new));
    all.put("basque", new Language(BasqueAnalyzer.getDefaultStopSet(), BasqueAnalyzer::new));
    all.put("bengali", new Language(BengaliAnalyzer.getDefaultStopSet(), BengaliAnalyzer::new));
    all.put(
        "brazilian", new Language(BrazilianAnalyzer.getDefaultStopSet(), BrazilianAnalyzer::new));
    all.put(
        "bulgarian", new Language(BulgarianAnalyzer.getDefaultStopSet(), BulgarianAnalyzer::new));
    all.put("catalan", new Language(CatalanAnalyzer.getDefaultStopSet(), CatalanAnalyzer::new));
    all.put("cjk", unstemmed(CJKAnalyzer.getDefaultStopSet(), CJKAnalyzer::new));
    all.put("czech", new Language(CzechAnalyzer.getDefaultStopSet(), CzechAnalyzer::new));
    all.put("danish", new Language(DanishAnalyzer.getDefaultStopSet(), DanishAnalyzer::new));
    all.put("dutch", new Language(DutchAnalyzer.getDefaultStopSet(), DutchAnalyzer::new));
    all.put("english", new Language(EnglishAnalyzer.getDefaultStopSet(), EnglishAnalyzer::new));
    all.put("estonian", new Language(EstonianAnalyzer.getDefaultStopSet(), EstonianAnalyzer::new));
    all.put("finnish", new Language(FinnishAnalyzer.getDefaultStopSet(), FinnishAnalyzer::new));
    all.put("french", new Language(FrenchAnalyzer.getDefaultStopSet(), FrenchAnalyzer::new));
    all.put("galician", new Language(GalicianAnalyzer.getDefaultStopSet(), GalicianAnalyzer::new));
    all.put("german", new Language(GermanAnalyzer.getDefaultStopSet(), GermanAnalyzer::new));
    all.put("greek", unstemmed(GreekAnalyzer.getDefaultStopSet(), GreekAnalyzer::new));
    all.put("hindi", new Language(HindiAnalyzer.getDefaultStopSet(), HindiAnalyzer::new));
    all.put(
        "hungarian", new Language(HungarianAnalyzer.getDefaultStopSet(), HungarianAnalyzer::new));
    all.put(
        "indonesian",
        new Language(IndonesianAnalyzer.getDefaultStopSet(), IndonesianAnalyzer::new));
    all.put("irish", new Language(IrishAnalyzer.getDefaultStopSet(), IrishAnalyzer::new));
    all.put("italian", new Language(ItalianAnalyzer.getDefaultStopSet(), ItalianAnalyzer::new));
    all.put("latvian", new Language(LatvianAnalyzer.getDefaultStopSet(), LatvianAnalyzer::new));
    all.put(
        "lithuanian",
        new Language(LithuanianAnalyzer.getDefaultStopSet(), LithuanianAnalyzer::new));
    all.put(
        "norwegian", new Language(NorwegianAnalyzer.getDefaultStopSet(), NorwegianAnalyzer::new));
    all.put("persian", unstemmed(PersianAnalyzer.getDefaultStopSet(), PersianAnalyzer::new));
    all.put(
        "portuguese",
        new Language(PortugueseAnalyzer.getDefaultStopSet(), PortugueseAnalyzer::new));
    all.put("romanian", new Language(RomanianAnalyzer.getDefaultStopSet(), RomanianAnalyzer::new));
    all.put("russian", new Language(RussianAnalyzer.getDefaultStopSet(), RussianAnalyzer::new));
    all.put("sorani", new Language(SoraniAnalyzer.getDefaultStopSet(), SoraniAnalyzer::new));
    all.put("spanish", new Language(SpanishAnalyzer.getDefaultStopSet(), SpanishAnalyzer::new));
    all.put("swedish", new Language(SwedishAnalyzer.getDefaultStopSet(), SwedishAnalyzer::new));
    all.put("thai", unstemmed(ThaiAnalyzer.getDefaultStopSet(), ThaiAnalyzer::new));
    all.put("turkish", new Language(TurkishAnalyzer.getDefaultStopSet(), TurkishAnalyzer::new));
    return all;
  }

  private interface Stopping {
    Analyzer of(CharArraySet stopWords);
  }

  private static Language unstemmed(CharArraySet stopWords, Stopping analyzer) {
    return new Language(stopWords, (stop, _) -> analyzer.of(stop));
  }
}
