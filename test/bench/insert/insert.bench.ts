/**
 * Inserts SQL into files of 10,000 lines: the first insertion and the next one, compared with one parse by the library
 * of the grammar.
 */
import { parser as javascript } from '@lezer/javascript';
import { GFM, parser as markdownParser } from '@lezer/markdown';
import { parser as python } from '@lezer/python';
import { parseDocument } from 'yaml';
import { applyEdits, planInsertion } from '../../../src/insert/plan.ts';
import type { InsertRequest } from '../../../src/insert/types.ts';
import { median, type Parts, type Profile, type Result } from '../result.ts';
import { inFunctions } from '../support/cpu.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const LINES = 10_000;
const SQL = 'SELECT status,\n  count(*)\nFROM orders\nGROUP BY 1';

interface Workload {
  languageId: string;
  fileName: string;
  /** Repeated up to the number of lines; `‸` marks the cursor in the middle one. */
  part: string;
  before: string;
  parse?(text: string): unknown;
}

const typescript = javascript.configure({ dialect: 'ts' });
const markdown = markdownParser.configure(GFM);

const WORKLOADS: readonly Workload[] = [
  {
    languageId: 'yaml',
    fileName: 'model/cubes/a.yml',
    before: 'cubes:\n',
    part: '  - name: orders_N\n    sql: ‸\n    dimensions:\n      - name: id\n        sql: "{CUBE}.id"\n        type: number\n    # note\n    public: true\n',
    parse: (text) => parseDocument(text),
  },
  {
    languageId: 'typescript',
    fileName: 'a.ts',
    before: '',
    part: 'export function f_N(a: number): string {\n  const b = `x ${a}`;\n  const q = run("‸", b);\n  if (a > 1) {\n    return g(q, { c: 1, d: [a, "e"] });\n  }\n  return b;\n}\n',
    parse: (text) => typescript.parse(text),
  },
  {
    languageId: 'python',
    fileName: 'a.py',
    before: 'import db\n\n',
    part: 'def f_N(a, b=1):\n    # note\n    q = run("""‸""", key=b)\n    for i in [1, 2]:\n        print(f"a {i}", q)\n    return {"a": a}\n\n\n',
    parse: (text) => python.parse(text),
  },
  {
    languageId: 'markdown',
    fileName: 'a.md',
    before: '# A\n\n',
    part: '## Part N\n\nSome text.\n\n‸\n\n- item\n- other\n',
    parse: (text) => markdown.parse(text),
  },
];

interface Sample {
  first: number;
  next: number;
  parse: number;
}

/** Starts without garbage, which would be collected at the expense of what runs next. */
function timed(work: () => unknown): number {
  globalThis.gc?.();
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** A request with a new text for each round, so that nothing is cached. */
function requestOf({ languageId, fileName, part, before }: Workload, round: number): InsertRequest {
  const count = Math.floor(LINES / (part.split('\n').length - 1));
  const parts = Array.from({ length: count }, (_, at) => part.replaceAll('N', `${round}_${at}`));
  const middle = Math.floor(count / 2);
  const marked = before + parts.map((each, at) => (at === middle ? each : each.replace('‸', ''))).join('');
  const start = marked.indexOf('‸');
  const text = marked.replace('‸', '');
  return {
    document: { text, languageId, fileName },
    selections: [{ start, end: start }],
    sql: SQL,
    mode: 'insert',
    options: { tabSize: 2, insertSpaces: true, eol: '\n' },
  };
}

function sample(workload: Workload, round: number): Sample {
  const { parse } = workload;
  const request = requestOf(workload, round);
  const { text } = request.document;
  const parsed = parse === undefined ? Number.NaN : timed(() => parse(text));
  let after = '';
  const first = timed(() => (after = applyEdits(text, planInsertion(request).edits)));
  const next = timed(() => planInsertion({ ...request, document: { ...request.document, text: after } }));
  return { first, next, parse: parsed };
}

/** The functions in which the first insertion and one parse spend their time. */
async function profileFor(workload: Workload): Promise<Profile> {
  const request = requestOf(workload, ROUNDS + 2);
  const { parse } = workload;
  const of: Record<string, Parts> = { ours: await inFunctions(() => (planInsertion(request), 1)) };
  if (parse) of['one parse'] = await inFunctions(() => (parse(request.document.text), 1));
  return { unit: 'µs', of };
}

/** @returns two rows for each kind of file */
export default async function insert(): Promise<Result[]> {
  const results: Result[] = [];
  for (const workload of WORKLOADS) {
    const samples = Array.from({ length: ROUNDS + 2 }, (_, round) => sample(workload, round)).slice(2);
    const of = (part: keyof Sample): number => median(samples.map((each) => each[part]));
    const name = `${workload.languageId}, 10,000 lines`;
    const ratios = (part: keyof Sample): Pick<Result, 'ratios'> =>
      workload.parse === undefined ? {} : { ratios: { 'one parse': of(part) / of('parse') } };
    results.push(
      {
        name: `first insertion, ${name}`,
        value: of('first'),
        unit: 'ms',
        ...ratios('first'),
        profile: await profileFor(workload),
      },
      { name: `next insertion, ${name}`, value: of('next'), unit: 'ms', ...ratios('next') },
    );
  }
  return results;
}
