package io.varve.analysis;

import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.bg.BulgarianStemFilter;
import org.apache.lucene.analysis.bn.BengaliStemFilter;
import org.apache.lucene.analysis.br.BrazilianStemFilter;
import org.apache.lucene.analysis.ckb.SoraniStemFilter;
import org.apache.lucene.analysis.cz.CzechStemFilter;
import org.apache.lucene.analysis.de.GermanLightStemFilter;
import org.apache.lucene.analysis.de.GermanMinimalStemFilter;
import org.apache.lucene.analysis.el.GreekStemFilter;
import org.apache.lucene.analysis.en.EnglishMinimalStemFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.es.SpanishLightStemFilter;
import org.apache.lucene.analysis.es.SpanishPluralStemFilter;
import org.apache.lucene.analysis.fa.PersianStemFilter;
import org.apache.lucene.analysis.fi.FinnishLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchMinimalStemFilter;
import org.apache.lucene.analysis.gl.GalicianMinimalStemFilter;
import org.apache.lucene.analysis.gl.GalicianStemFilter;
import org.apache.lucene.analysis.hi.HindiStemFilter;
import org.apache.lucene.analysis.hu.HungarianLightStemFilter;
import org.apache.lucene.analysis.id.IndonesianStemFilter;
import org.apache.lucene.analysis.it.ItalianLightStemFilter;
import org.apache.lucene.analysis.lv.LatvianStemFilter;
import org.apache.lucene.analysis.no.NorwegianLightStemFilter;
import org.apache.lucene.analysis.no.NorwegianMinimalStemFilter;
import org.apache.lucene.analysis.pt.PortugueseLightStemFilter;
import org.apache.lucene.analysis.pt.PortugueseMinimalStemFilter;
import org.apache.lucene.analysis.pt.PortugueseStemFilter;
import org.apache.lucene.analysis.ru.RussianLightStemFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.sv.SwedishLightStemFilter;

/** Creates stemmers by language and algorithm. */
final class Stemmers {

  private static final Set<String> SNOWBALL =
      Set.of(
          "Arabic",
          "Armenian",
          "Basque",
          "Catalan",
          "Danish",
          "Dutch",
          "English",
          "Estonian",
          "Finnish",
          "French",
          "German",
          "Greek",
          "Hindi",
          "Hungarian",
          "Indonesian",
          "Irish",
          "Italian",
          "Lithuanian",
          "Nepali",
          "Norwegian",
          "Porter",
          "Portuguese",
          "Romanian",
          "Russian",
          "Serbian",
          "Spanish",
          "Swedish",
          "Tamil",
          "Turkish",
          "Yiddish");

  /** Lucene's flag for Nynorsk, the less common written form of Norwegian. */
  private static final int NYNORSK = 2;

  private Stemmers() {}

  /** A Snowball stemmer. */
  static UnaryOperator<TokenStream> snowball(String language) {
    String name =
        switch (language) {
          case "German2" -> "German";
          case "Kp" -> "Dutch";
          default -> language;
        };
    if (!SNOWBALL.contains(name)) {
      throw AnalysisException.illegal("Invalid stemmer class specified: " + language);
    }
    return tokens -> new SnowballFilter(tokens, name);
  }

  /**
   * A stemmer by the name of a language or of one of its variants, such as {@code light_german}.
   */
  static UnaryOperator<TokenStream> of(String language) {
    return switch (language.toLowerCase(Locale.ROOT)) {
      case "arabic" -> ArabicStemFilter::new;
      case "armenian" -> snowball("Armenian");
      case "basque" -> snowball("Basque");
      case "bengali" -> BengaliStemFilter::new;
      case "brazilian" -> BrazilianStemFilter::new;
      case "bulgarian" -> BulgarianStemFilter::new;
      case "catalan" -> snowball("Catalan");
      case "czech" -> CzechStemFilter::new;
      case "danish" -> snowball("Danish");
      case "dutch", "dutch_kp", "dutchkp", "kp" -> snowball("Dutch");
      case "english", "porter" -> PorterStemFilter::new;
      case "light_english", "lightenglish", "kstem" -> KStemFilter::new;
      case "porter2" -> snowball("English");
      case "minimal_english", "minimalenglish" -> EnglishMinimalStemFilter::new;
      case "possessive_english", "possessiveenglish" -> EnglishPossessiveFilter::new;
      case "estonian" -> snowball("Estonian");
      case "finnish" -> snowball("Finnish");
      case "light_finnish", "lightfinish", "lightfinnish" -> FinnishLightStemFilter::new;
      case "french" -> snowball("French");
      case "light_french", "lightfrench" -> FrenchLightStemFilter::new;
      case "minimal_french", "minimalfrench" -> FrenchMinimalStemFilter::new;
      case "galician" -> GalicianStemFilter::new;
      case "minimal_galician" -> GalicianMinimalStemFilter::new;
      case "german", "german2" -> snowball("German");
      case "light_german", "lightgerman" -> GermanLightStemFilter::new;
      case "minimal_german", "minimalgerman" -> GermanMinimalStemFilter::new;
      case "greek" -> GreekStemFilter::new;
      case "hindi" -> HindiStemFilter::new;
      case "hungarian" -> snowball("Hungarian");
      case "light_hungarian", "lighthungarian" -> HungarianLightStemFilter::new;
      case "indonesian" -> IndonesianStemFilter::new;
      case "irish" -> snowball("Irish");
      case "italian" -> snowball("Italian");
      case "light_italian", "lightitalian" -> ItalianLightStemFilter::new;
      case "latvian" -> LatvianStemFilter::new;
      case "lithuanian" -> snowball("Lithuanian");
      case "norwegian" -> snowball("Norwegian");
      case "light_norwegian", "lightnorwegian" -> NorwegianLightStemFilter::new;
      case "minimal_norwegian", "minimalnorwegian" -> NorwegianMinimalStemFilter::new;
      case "light_nynorsk", "lightnynorsk" ->
          tokens -> new NorwegianLightStemFilter(tokens, NYNORSK);
      case "minimal_nynorsk", "minimalnynorsk" ->
          tokens -> new NorwegianMinimalStemFilter(tokens, NYNORSK);
      case "persian" -> PersianStemFilter::new;
      case "portuguese" -> snowball("Portuguese");
      case "light_portuguese", "lightportuguese" -> PortugueseLightStemFilter::new;
      case "minimal_portuguese", "minimalportuguese" -> PortugueseMinimalStemFilter::new;
      case "portuguese_rslp" -> PortugueseStemFilter::new;
      case "romanian" -> snowball("Romanian");
      case "russian" -> snowball("Russian");
      case "light_russian", "lightrussian" -> RussianLightStemFilter::new;
      case "sorani" -> SoraniStemFilter::new;
      case "spanish" -> snowball("Spanish");
      case "light_spanish", "lightspanish" -> SpanishLightStemFilter::new;
      case "plural_spanish", "spanish_plural" -> SpanishPluralStemFilter::new;
      case "swedish" -> snowball("Swedish");
      case "light_swedish", "lightswedish" -> SwedishLightStemFilter::new;
      case "turkish" -> snowball("Turkish");
      default -> throw AnalysisException.illegal("Invalid stemmer class specified: " + language);
    };
  }
}
