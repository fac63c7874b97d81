package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.analysis.PatternSize;
import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.rpc.ApiException;
import java.io.IOException;
import org.apache.lucene.util.automaton.RegExp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expensive patterns are rejected before they use resources. */
class HostilePatternsTest {

  private SearchedIndex index;

  @BeforeEach
  void addADocument() throws IOException {
    index =
        new SearchedIndex(
            "{\"properties\":{\"k\":{\"type\":\"keyword\"},\"t\":{\"type\":\"text\"}}}");
    index.add("a", "{\"k\":\"key-1\",\"t\":\"layers of sand\"}");
  }

  @AfterEach
  void close() throws IOException {
    index.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // More than the index allows, for any pattern.
        "{'regexp':{'k':{'value':'a','max_determinized_states':2000000000}}}",
        "{'query_string':{'query':'/a/','default_field':'k','max_determinized_states':10001}}",
        // A million states and more in a few characters.
        "{'regexp':{'k':'((a{1000}){1000}){1000}'}}",
        "{'regexp':{'k':'.{1000000}'}}",
        "{'regexp':{'k':'(a{1,50}){1,50}(b{1,50}){1,200}'}}",
        "{'regexp':{'k':'(~(.*a.{9})){900}'}}",
        "{'regexp':{'k':'(.*a.{60})&(.*b.{60})&(.*c.{60})&(.*d.{60})'}}",
        "{'query_string':{'query':'/((a{1000}){1000}){1000}/','default_field':'k'}}",
        "{'intervals':{'t':{'regexp':{'pattern':'((a{1000}){1000}){1000}'}}}}",
        // Has few states before it is determinized.
        "{'regexp':{'k':'(.*a.{28})'}}",
        "{'intervals':{'t':{'regexp':{'pattern':'(.*a.{28})'}}}}",
      })
  void refusesPatternsThatNeedTooMuchMemory(String query) {
    assertRefused("{'query':" + query + "}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'regexp':{'pattern':'.*','max_expansions':2}",
        "'wildcard':{'pattern':'*','max_expansions':2}",
        "'prefix':{'prefix':'s','max_expansions':1}",
      })
  void refusesIntervalsOfTooManyTerms(String rule) throws IOException {
    index.add("b", "{'t':'sandy soil'}".replace('\'', '"'));
    assertRefused("{'query':{'intervals':{'t':{" + rule + "}}}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"((a{1000}){1000}){1000}", "(.*a.{28})"})
  void refusesThemInIncludeOfTermsToo(String pattern) {
    for (String where : new String[] {"include", "exclude"}) {
      assertRefused("{'aggs':{'x':{'terms':{'field':'k','" + where + "':'" + pattern + "'}}}}");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"query_string", "simple_query_string"})
  void refusesTextsWhoseParenthesesWouldOverflowTheStack(String query) {
    String deep = "(".repeat(20_000) + "a" + ")".repeat(20_000);
    assertRefused("{'query':{'" + query + "':{'query':'" + deep + "'}}}");
    String shallow = "(".repeat(100) + "sand" + ")".repeat(100);
    assertThat(found("{'query':{'" + query + "':{'query':'" + shallow + "'}}}")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'regexp':{'k':'key-[0-9]{1,9}'}}",
        "{'regexp':{'k':{'value':'(k|e|y|-)*1','max_determinized_states':10000}}}",
        "{'regexp':{'k':'.{1,1000}'}}",
        // Needs more states than may be compiled concurrently.
        "{'regexp':{'k':'(.*y.{1,11}|key-1)'}}",
        "{'query_string':{'query':'/key-[0-9]+/','default_field':'k'}}",
        "{'intervals':{'t':{'regexp':{'pattern':'s[aeiou]nd'}}}}",
      })
  void acceptsPatternsWithinTheLimits(String query) {
    assertThat(found("{'query':" + query + "}")).isEqualTo(1);
  }

  @Test
  void chargesACostlyPatternToTheBreakerWhileItIsCompiled() {
    MemoryBreaker breaker = new MemoryBreaker(() -> 50L << 20, () -> Long.MAX_VALUE);
    ShardSearcher searcher = new ShardSearcher(breaker, SearchSlices.none(), () -> 0);
    String costly = json("{'query':{'regexp':{'k':'(.*y.{1,11}|key-1)'}}}");
    assertThatThrownBy(() -> index.search(costly, searcher))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(429));
    String cheap = json("{'query':{'regexp':{'k':'key-.'}}}");
    assertThat(index.search(cheap, searcher).total()).isEqualTo(1);
    assertThat(breaker.usedBytes()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "abc | 10",
        "a{1000} | 3000",
        "(a{100}){100} | 30000",
        "((a{1000}){1000}){1000} | 1e10",
        "(ab)&(cd) | 100",
        "[a-cx-z] | 10"
      })
  void neverEstimatesFewerStatesThanAnExpressionExpandsTo(String pattern, double most) {
    RegExp expression = new RegExp(pattern);
    assertThat(PatternSize.states(expression)).isLessThanOrEqualTo(most);
    if (most <= 100_000) {
      assertThat(PatternSize.states(expression))
          .isGreaterThanOrEqualTo(expression.toAutomaton().getNumStates() - 1.0);
    }
  }

  private void assertRefused(String body) {
    assertThatThrownBy(() -> index.search(json(body)))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(400);
              assertThat(e.error().reason()).hasSizeLessThan(1_000);
            });
  }

  private long found(String body) {
    return index.search(json(body)).total();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
