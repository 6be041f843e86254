// Takes {name: Argdown document} as JSON on stdin and tells what @argdown/core reads in each.
import { readFileSync } from "node:fs";
import { ArgdownApplication, DataPlugin, ModelPlugin, ParserPlugin } from "@argdown/core";

const application = new ArgdownApplication();
application.addPlugin(new ParserPlugin(), "parse-input");
application.addPlugin(new DataPlugin(), "build-model");
application.addPlugin(new ModelPlugin(), "build-model");

const texts = (found = {}) =>
  Object.fromEntries(
    Object.values(found).map((one) => [one.title, [...(one.members ?? []), ...(one.descriptions ?? [])].map((m) => m.text)]),
  );

function read(input) {
  const found = application.run({ process: ["parse-input", "build-model"], input, logLevel: "silent" });
  return {
    errors: [...(found.lexerErrors ?? []), ...(found.parserErrors ?? [])].map((error) => error.message),
    title: found.frontMatter?.title,
    statements: texts(found.statements),
    arguments: texts(found.arguments),
    relations: (found.relations ?? []).map((one) => [one.relationType, one.from.title, one.to.title]),
  };
}

const documents = Object.entries(JSON.parse(readFileSync(0, "utf8")));
process.stdout.write(JSON.stringify(Object.fromEntries(documents.map(([name, text]) => [name, read(text)]))));
