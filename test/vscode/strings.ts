/** Collects every text for the user from the sources: the first argument of each call of `t`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repoRoot } from './paths.ts';

/** @returns the texts in alphabetical order */
export function stringsOfSources(): string[] {
  const found = new Set<string>();
  for (const folder of ['src', 'webview'])
    for (const name of readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name) || name.endsWith('.d.ts')) continue;
      const text = readFileSync(join(repoRoot, folder, name), 'utf8');
      collect(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true), found);
    }
  return [...found].sort();
}

function collect(node: ts.Node, found: Set<string>): void {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't') {
    const [first] = node.arguments;
    if (first && ts.isStringLiteralLike(first)) found.add(first.text);
    // A choice between two texts, such as a singular and a plural.
    else if (first && ts.isConditionalExpression(first))
      for (const choice of [first.whenTrue, first.whenFalse])
        if (ts.isStringLiteralLike(choice)) found.add(choice.text);
  }
  ts.forEachChild(node, (child) => collect(child, found));
}
