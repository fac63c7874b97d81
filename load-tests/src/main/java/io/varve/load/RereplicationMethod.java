package io.varve.load;

/** A way to prove records, with the parameters and the body of its request. */
enum RereplicationMethod {
  PEEK("peek", "method=peek", ""),
  TOUCH("touch", "method=touch", ""),
  STATEMENT("statement [read]", "method=statement", "{\"operations\":[\"read\"]}"),
  EXECUTE("execute [read]", "method=execute", "{\"operations\":[\"read\"]}"),
  CHECKPOINT("checkpoint", "method=checkpoint", ""),
  DIGEST("checkpoint, verify=digest", "method=checkpoint&verify=digest", "");

  private final String label;
  private final String parameters;
  private final String body;

  RereplicationMethod(String label, String parameters, String body) {
    this.label = label;
    this.parameters = parameters;
    this.body = body;
  }

  String label() {
    return label;
  }

  String parameters() {
    return parameters;
  }

  String body() {
    return body;
  }
}
