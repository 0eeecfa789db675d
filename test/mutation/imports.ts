/** Finds the test files that reach a source file. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const IMPORT = /\b(?:from|import)\b\s*\(?\s*'(\.[^']+\.tsx?)'/g;

const imported = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  const known = imported.get(file);
  if (known) return known;
  const paths = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path = '']) => resolve(dirname(file), path));
  // Code in strings may name files that don't exist.
  const files = paths.filter((path) => existsSync(path));
  imported.set(file, files);
  return files;
}

/** @returns the file and all files that it imports, directly or not; absolute paths */
export function reachableFrom(file: string): ReadonlySet<string> {
  const reached = new Set([file]);
  for (const each of reached) for (const next of importsOf(each)) reached.add(next);
  return reached;
}
