package io.varve.analysis;

import org.apache.lucene.analysis.ar.ArabicNormalizationFilter;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.bn.BengaliNormalizationFilter;
import org.apache.lucene.analysis.br.BrazilianStemFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.ckb.SoraniNormalizationFilter;
import org.apache.lucene.analysis.classic.ClassicFilter;
import org.apache.lucene.analysis.core.DecimalDigitFilter;
import org.apache.lucene.analysis.cz.CzechStemFilter;
import org.apache.lucene.analysis.de.GermanNormalizationFilter;
import org.apache.lucene.analysis.de.GermanStemFilter;
import org.apache.lucene.analysis.fa.PersianNormalizationFilter;
import org.apache.lucene.analysis.fa.PersianStemFilter;
import org.apache.lucene.analysis.hi.HindiNormalizationFilter;
import org.apache.lucene.analysis.in.IndicNormalizationFilter;
import org.apache.lucene.analysis.miscellaneous.ScandinavianFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.ScandinavianNormalizationFilter;
import org.apache.lucene.analysis.payloads.TypeAsPayloadTokenFilter;
import org.apache.lucene.analysis.sr.SerbianNormalizationFilter;
import org.jspecify.annotations.Nullable;

/** Creates token filters without options. */
final class SimpleFilters {

  private SimpleFilters() {}

  static @Nullable TokenFilterPart of(String type) {
    return switch (type) {
      case "arabic_normalization" -> TokenFilterPart.normalizing(ArabicNormalizationFilter::new);
      case "bengali_normalization" -> TokenFilterPart.normalizing(BengaliNormalizationFilter::new);
      case "cjk_width" -> TokenFilterPart.normalizing(CJKWidthFilter::new);
      case "decimal_digit" -> TokenFilterPart.normalizing(DecimalDigitFilter::new);
      case "german_normalization" -> TokenFilterPart.normalizing(GermanNormalizationFilter::new);
      case "hindi_normalization" -> TokenFilterPart.normalizing(HindiNormalizationFilter::new);
      case "indic_normalization" -> TokenFilterPart.normalizing(IndicNormalizationFilter::new);
      case "persian_normalization" -> TokenFilterPart.normalizing(PersianNormalizationFilter::new);
      case "scandinavian_folding" -> TokenFilterPart.normalizing(ScandinavianFoldingFilter::new);
      case "scandinavian_normalization" ->
          TokenFilterPart.normalizing(ScandinavianNormalizationFilter::new);
      case "serbian_normalization" -> TokenFilterPart.normalizing(SerbianNormalizationFilter::new);
      case "sorani_normalization" -> TokenFilterPart.normalizing(SoraniNormalizationFilter::new);
      case "arabic_stem" -> TokenFilterPart.of(ArabicStemFilter::new);
      case "brazilian_stem" -> TokenFilterPart.of(BrazilianStemFilter::new);
      case "czech_stem" -> TokenFilterPart.of(CzechStemFilter::new);
      case "dutch_stem" -> TokenFilterPart.of(Stemmers.snowball("Dutch"));
      case "french_stem" -> TokenFilterPart.of(Stemmers.snowball("French"));
      case "german_stem" -> TokenFilterPart.of(GermanStemFilter::new);
      case "persian_stem" -> TokenFilterPart.of(PersianStemFilter::new);
      case "russian_stem" -> TokenFilterPart.of(Stemmers.snowball("Russian"));
      case "classic" -> TokenFilterPart.of(ClassicFilter::new);
      case "type_as_payload" -> TokenFilterPart.of(TypeAsPayloadTokenFilter::new);
      default -> null;
    };
  }
}
