/** Checks the names of a data model of 10,000 files, as the editor does: for an open file first, and after an edit. */
import { findUnknownNames, type Project } from '../../../src/evals/lint/lint.ts';
import type { SourceFile } from '../../../src/shared/text/sourceFile.ts';
import { median, type Result } from '../result.ts';

const FILES = Number(process.env['BENCH_FILES'] ?? 10_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const MEMBERS = 5;

export default function bench(): Promise<Result[]> {
  const model = Array.from({ length: FILES }, (_, index) => cube(index));
  const first = checked({ model, agent: [] }, [model[0]!]);
  const edits = Array.from({ length: ROUNDS }, (_, round) => {
    const at = (round + 2) % FILES;
    const { path, text } = model[at]!;
    model[at] = { path, text: text.replace('- name: d0', '- name: other') };
    return checked({ model, agent: [] }, [model[at]]);
  });
  const of = (values: readonly number[], name: string): Result => ({
    name: `${name}, ${FILES} model files`,
    value: median(values),
    unit: 'ms',
  });
  return Promise.resolve([
    of([first.toFirst], 'first unknown name'),
    of(
      edits.map(({ toEnd }) => toEnd),
      'unknown names after an edit',
    ),
    of(
      edits.map(({ longest }) => longest),
      'longest step after an edit',
    ),
  ]);
}

/** @returns milliseconds to the first unknown name and to the end, and those of the longest step between two pauses */
function checked(project: Project, open: readonly SourceFile[]): { toFirst: number; toEnd: number; longest: number } {
  const start = performance.now();
  let [toFirst, longest, last] = [0, 0, start];
  for (const found of findUnknownNames(project, open)) {
    const now = performance.now();
    if (toFirst === 0 && (found?.problems.length ?? 0) > 0) toFirst = now - start;
    longest = Math.max(longest, now - last);
    last = now;
  }
  if (toFirst === 0) throw new Error('No unknown name was found.');
  return { toFirst, toEnd: performance.now() - start, longest };
}

/** Each cube uses the dimensions of the next one; the first one also uses a dimension that it does not have. */
function cube(index: number): SourceFile {
  const next = (index + 1) % FILES;
  const lists = Array.from({ length: MEMBERS }, (_, at) => ({
    dimension: `      - name: d${at}\n        sql: '{CUBE}.d${at}'\n        type: string\n`,
    measure: `      - name: m${at}\n        sql: '{CUBE}.amount + {c${next}.d${index === 0 ? MEMBERS : at}}'\n        type: sum\n`,
  }));
  const text = `cubes:
  - name: c${index}
    sql_table: t${index}
    joins:
      - name: c${next}
        relationship: many_to_one
        sql: '{CUBE}.id = {c${next}.d0}'
    dimensions:
${lists.map(({ dimension }) => dimension).join('')}    measures:
${lists.map(({ measure }) => measure).join('')}`;
  return { path: `model/cubes/c${index}.yml`, text };
}
