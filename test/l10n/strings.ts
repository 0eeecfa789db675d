/** Collects the localizable strings from the sources: the literals passed to `t` and `plural`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repoRoot } from '../vscode/paths.ts';

/** @returns the strings in code unit order */
export function stringsOfSources(): string[] {
  const found = new Set<string>();
  for (const folder of ['src', 'webview'])
    for (const name of readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name) || name.endsWith('.d.ts')) continue;
      const text = readFileSync(join(repoRoot, folder, name), 'utf8');
      if (/\b(?:t|plural)\(/.test(text)) collect(ts.createSourceFile(name, text, ts.ScriptTarget.Latest), found);
    }
  return [...found].sort();
}

function collect(node: ts.Node, found: Set<string>): void {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const at = ['t', 'plural'].indexOf(node.expression.text);
    const text = at < 0 ? undefined : node.arguments[at];
    if (text && ts.isStringLiteralLike(text)) found.add(text.text);
  }
  ts.forEachChild(node, (child) => collect(child, found));
}
