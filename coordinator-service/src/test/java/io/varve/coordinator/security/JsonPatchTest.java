package io.varve.coordinator.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import io.varve.rpc.ApiException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class JsonPatchTest {

  private static final String DOCUMENT = "{'a':{'b':1},'list':['x','y'],'a/b':2,'m~n':3,'-':4}";

  private static JsonNode json(String text) {
    return Json.mapper().readTree(text.replace('\'', '"'));
  }

  private static JsonPatch patch(String text) {
    return JsonPatch.of(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/a/c | {'op':'add','path':'/a/c','value':[1]} | [1]",
        "/a | {'op':'add','path':'/a','value':null} | null",
        "/list | {'op':'add','path':'/list/1','value':'z'} | ['x','z','y']",
        "/list | {'op':'add','path':'/list/2','value':'z'} | ['x','y','z']",
        "/list | {'op':'add','path':'/list/-','value':'z'} | ['x','y','z']",
        "/list | {'op':'remove','path':'/list/0'} | ['y']",
        "/list | {'op':'replace','path':'/list/1','value':'z'} | ['x','z']",
        "/a | {'op':'remove','path':'/a/b'} | {}",
        "/a | {'op':'replace','path':'/a/b','value':{}} | {'b':{}}",
        "/a~1b | {'op':'replace','path':'/a~1b','value':5} | 5",
        "/m~0n | {'op':'replace','path':'/m~0n','value':5} | 5",
        "/- | {'op':'replace','path':'/-','value':5} | 5",
        "/list | {'op':'remove','path':'/list/0'},{'op':'remove','path':'/list/0'} | []",
      })
  void anOperationChangesTheDocument(String pointer, String operations, String result) {
    JsonNode document = json(DOCUMENT);

    JsonNode changed = patch("[" + operations + "]").appliedTo(document);

    assertThat(changed.at(pointer)).isEqualTo(json(result));
    assertThat(document).isEqualTo(json(DOCUMENT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'op':'add','path':'/x/y','value':1} | can't add [/x/y]",
        "{'op':'add','path':'/a/b/c','value':1} | can't add [/a/b/c]",
        "{'op':'add','path':'/list/3','value':1} | can't add [/list/3]",
        "{'op':'add','path':'/list/-1','value':1} | can't add [/list/-1]",
        "{'op':'add','path':'/list/00','value':1} | can't add [/list/00]",
        "{'op':'add','path':'/list/x','value':1} | can't add [/list/x]",
        "{'op':'replace','path':'/x','value':1} | can't replace [/x]",
        "{'op':'replace','path':'/list/2','value':1} | can't replace [/list/2]",
        "{'op':'replace','path':'/list/-','value':1} | can't replace [/list/-]",
        "{'op':'remove','path':'/x'} | can't remove [/x]",
        "{'op':'remove','path':'/list/2'} | can't remove [/list/2]",
      })
  void anOperationWithoutItsPlaceIsRefused(String operation, String message) {
    JsonPatch patch = patch("[" + operation + "]");

    assertThatThrownBy(() -> patch.appliedTo(json(DOCUMENT)))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | Wrong request body",
        "[] | Wrong request body",
        "[1] | Unsupported patch operation: ",
        "[{'path':'/a'}] | Unsupported patch operation: ",
        "[{'op':'test','path':'/a','value':1}] | Unsupported patch operation: test",
        "[{'op':'ADD','path':'/a','value':1}] | Unsupported patch operation: ADD",
        "[{'op':'remove'}] | must begin with a slash",
        "[{'op':'remove','path':''}] | must begin with a slash",
        "[{'op':'remove','path':'a'}] | must begin with a slash",
        "[{'op':'add','path':'/a'}] | has no [value]",
      })
  void whatIsNoPatchIsRefused(String body, String message) {
    assertThatThrownBy(() -> patch(body))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aValueIsNotSharedBetweenDocuments() {
    JsonPatch patch =
        patch("[{'op':'add','path':'/n','value':{}},{'op':'add','path':'/n/a','value':1}]");

    JsonNode first = patch.appliedTo(json(DOCUMENT));

    assertThat(patch.appliedTo(json(DOCUMENT))).isEqualTo(first);
  }
}
