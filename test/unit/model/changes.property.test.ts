/** Random edits of a data model. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isFull, runs } from '../../support/runs.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { changes, JS, YAML } from './support.ts';

/** A member with a body, and how YAML and JavaScript write it. */
interface Member {
  name: string;
  body: Record<string, unknown>;
}

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);
const sql = fc
  .array(
    fc.constantFrom('{CUBE}', '.amount', " <> 'Paid'", ' + ', 'CASE WHEN', ' -- all', '\n', ' "x"', ': ', '# ', '\\'),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => parts.join('').trim())
  .filter((text) => text !== '');
const body = fc.record(
  {
    sql,
    type: fc.constantFrom('sum', 'count', 'number', 'time'),
    title: fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !/\{[{%]/.test(text)),
    public: fc.boolean(),
    filters: fc.array(fc.record({ sql }), { maxLength: 3 }),
    meta: fc.dictionary(name, fc.oneof(sql, fc.integer(), fc.array(name, { maxLength: 3 })), { maxKeys: 3 }),
  },
  { requiredKeys: ['sql'] },
);
const members = fc.uniqueArray(fc.record({ name, body }), {
  selector: (member) => member.name,
  minLength: 2,
  maxLength: 6,
});
const model = fc.record({ measures: members, dimensions: members });
type Model = { measures: Member[]; dimensions: Member[] };

const yamlText = ({ measures, dimensions }: Model): string =>
  ['cubes:', '  - name: orders', '    sql_table: orders']
    .concat(
      Object.entries({ measures, dimensions }).flatMap(([key, list]) => [
        `    ${key}:`,
        ...list.flatMap((member) => [
          `      # the next one`,
          `      - name: ${JSON.stringify(member.name)}`,
          ...Object.entries(member.body).map(([field, value]) => `        ${field}: ${JSON.stringify(value)}`),
        ]),
      ]),
    )
    .join('\n');
const jsText = ({ measures, dimensions }: Model): string => {
  const list = (all: Member[]): string =>
    all
      .map((member) => `${JSON.stringify(member.name)}: ${JSON.stringify(member.body, null, 2)}, /* next */`)
      .join('\n');
  return `cube('orders', {\n  sql_table: 'orders',\n  measures: {\n${list(measures)}\n},\n  dimensions: {\n${list(dimensions)}\n} });`;
};

describe('a random edit of a member', () => {
  for (const [path, write] of [
    [YAML, yamlText],
    [JS, jsText],
  ] as const) {
    it(`in ${path.slice(-3)} names exactly that member`, () => {
      fc.assert(
        fc.property(model, fc.nat(), fc.boolean(), body, (made, at, isMeasure, edited) => {
          const list = made[isMeasure ? 'measures' : 'dimensions'];
          const chosen = list[at % list.length]!;
          const other = { ...chosen, body: edited };
          fc.pre(layoutFree(edited) !== layoutFree(chosen.body));
          const after = {
            ...made,
            [isMeasure ? 'measures' : 'dimensions']: list.map((each) => (each === chosen ? other : each)),
          };
          assert.deepEqual(changes(write(made), write(after as Model), path), [`changed orders.${chosen.name}`]);
        }),
        { numRuns: runs(30) },
      );
    });

    it(`in ${path.slice(-3)} is an addition or a removal when it comes or goes`, () => {
      fc.assert(
        fc.property(model, (made) => {
          const [gone, ...rest] = made.measures;
          const less = { ...made, measures: rest };
          const expected = `orders.${gone!.name}`;
          assert.deepEqual(changes(write(made), write(less), path), [`removed ${expected}`]);
          assert.deepEqual(changes(write(less), write(made), path), [`added ${expected}`]);
        }),
        { numRuns: runs(15) },
      );
    });
  }

  it('of the sandbox’s model names exactly that member, wherever in its body it is', () => {
    const folder = join(repoRoot, 'test', 'fixtures', 'workspaces', 'model', 'model', 'cubes');
    let edits = 0;
    for (const file of readdirSync(folder)) {
      const text = readFileSync(join(folder, file), 'utf8');
      const lines = text.split('\n');
      let [owner, current] = ['', ''];
      lines.forEach((line, index) => {
        if (/^ {2}- name: /.test(line)) owner = line.slice(10).trim();
        if (/^ {4}\w/.test(line)) current = '';
        if (/^ {6}- name: /.test(line)) current = line.slice(14).trim();
        else if (current !== '' && /^ {8}(?:title|sql|type|description|format): ?\w/.test(line)) {
          edits += 1;
          if (!isFull && edits % 3 > 0) return;
          const after = lines.with(index, `${line} edited`).join('\n');
          assert.deepEqual(changes(text, after, file), [`changed ${owner}.${current}`], `${file}:${index + 1}`);
        }
      });
    }
    assert.ok(edits > 50, String(edits));
  });
});

/** Bodies that differ only in layout or in the order of keys mean the same. */
const layoutFree = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(layoutFree).join()}]`
    : typeof value === 'object' && value !== null
      ? `{${Object.entries(value)
          .map(([key, one]) => `${key}:${layoutFree(one)}`)
          .sort()
          .join()}}`
      : String(value).trim().replace(/\s+/g, ' ');
