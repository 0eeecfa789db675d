/** SQL anywhere in a program: the compiler still parses it, or there is a warning. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import ts from 'typescript';
import { withoutFinalSemicolon } from '../../../../src/insert/sql/hazards.ts';
import { unifyLineEnds } from '../../../../src/insert/indent.ts';
import { applyEdits, planInsertion } from '../../../../src/insert/plan.ts';
import { isFull, sparse } from '../../../support/runs.ts';
import { hostileSql, runs, tidySql } from '../arbitrarySql.ts';
import { insertCases, PROVENANCE } from '../insertCases.ts';

const PROGRAM = `import * as base from 'base';
import { a, type B } from "../b";

/** Don't. */
@Entity({ name: 'c' })
export class C<T extends B> extends base.D implements E {
  static readonly sql = \`select 1\`;
  #count = 0
  list: Record<string, number>[] = [1, 2];

  constructor(private readonly first: B, second?: T) {
    super(...[first, second!]);
  }

  @Query(\`select * from t where id = \${1 + 2}\`)
  async rows({ limit, offset = 0 }: Page, [head]: T[]): Promise<void> {
    if (limit > 1 && /a[/"'\`]b/.test(head)) return;
    else for (const row of await this.db.query(sql\`select \${a} from \${b ? \`c\` : ''}\`)) this.push(row)
    switch (limit) {
      case 1: {
        break;
      }
      default:
        throw new Error('none');
    }
    const total = a
      .filter((row) => row.x ?? row.y)
      .map(({ x }) => ({ ...x, y: -x }));
    try {
      i++
    } catch {
      // nothing
    }
  }
}

abstract class K {
  abstract rows(a: string): void
  row(a: string): string;
  row(a?: string) {
    return { a: 1,

      b: a };
  }
}
declare module 'm' {
  function n(): void;

}
type F = { a: string } | \`b\${string}\`;
enum G { H = 'h', I }
interface J { (k: string): void; l?: F }

const View = ({ rows, title: { text } }: Props) => (
  <Table a="b" rows={rows} style={{ width: 1 }} onPick={(row) => pick(row)} {...rest}>
    Don't {text}: <b>{rows.length}</b>
    <Page
      size={1}

      onTurn={({ to }) => turn(to)}
    >
      text
    </Page>

    {rows.map((row) => <Row key={row.id} sql={row.sql} />)}
  </Table>
);
const after = 4 / 2 / 1;
export default { data() { return { x: 1, 'y': [2] }; }, z: after ? 1 : { w: 2 } };
`;
const SQL = 'SELECT a,\n  b\nFROM t -- c';

interface Parsed {
  problems: string[];
  /** Number of tagged literals. */
  tagged: number;
  /** Decoded literals; those of a template, piece by piece. */
  values: string[];
}

/** The literals of the program, and the errors of the compiler. */
function parsed(text: string): Parsed {
  const source = ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  const { parseDiagnostics } = source as unknown as { parseDiagnostics: ts.Diagnostic[] };
  const values: string[] = [];
  let tagged = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node)) tagged += 1;
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) values.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { problems: parseDiagnostics.map(({ messageText }) => String(messageText)), tagged, values };
}

/** Indentation is the file's. */
const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('SQL anywhere in a program', () => {
  for (const provenance of [undefined, PROVENANCE]) {
    it(`leaves a program that is parsed, or there is a warning${provenance ? ', with a note' : ''}`, () => {
      const { problems, tagged } = parsed(PROGRAM);
      assert.deepEqual(problems, []);
      const step = isFull ? 1 : 2 * sparse;
      // A note goes to the same places, so it takes the offsets between.
      for (let at = provenance && !isFull ? sparse + 1 : 0; at <= PROGRAM.length; at += step) {
        const { edits, warnings } = planInsertion({
          document: { text: PROGRAM, fileName: 'a.tsx', languageId: 'typescriptreact' },
          selections: [{ start: at, end: at }],
          sql: SQL,
          mode: 'insert',
          options: { tabSize: 2, insertSpaces: true, eol: '\n', ...(provenance ? { provenance } : {}) },
        });
        if (warnings.length > 0) continue;
        const file = applyEdits(PROGRAM, edits);
        const where = `${PROGRAM.slice(Math.max(0, at - 60), at)}‸${PROGRAM.slice(at, at + 40)}\n---\n${file}`;
        const after = parsed(file);
        assert.deepEqual([after.problems, after.tagged], [[], tagged], where);
      }
    });
  }

  const programs = insertCases()
    .filter(({ table }) => table.startsWith('javascript'))
    .map(({ request }) => request.document.text);

  it('is read back as it was, whatever the SQL and the program, or there is a warning', () => {
    const spot = fc.nat(PROGRAM.length);
    const program = fc.oneof(fc.constant(PROGRAM), fc.constantFrom(...programs));
    fc.assert(
      fc.property(program, spot, fc.nat(20), fc.oneof(hostileSql, tidySql), (text, spread, length, sql) => {
        const start = spread % (text.length + 1);
        const selection = { start, end: Math.min(text.length, start + Math.max(0, length - 10)) };
        const { edits, warnings } = planInsertion({
          document: { text, fileName: 'a.tsx', languageId: 'typescriptreact' },
          selections: [selection],
          sql,
          mode: 'replace',
          options: { tabSize: 2, insertSpaces: true, eol: '\n' },
        });
        if (sql === '' || warnings.some(({ code }) => /^(?:unfittedPlace|insideComment|duplicateKey)$/.test(code)))
          return;
        const file = applyEdits(text, edits);
        const [before, after] = [parsed(text), parsed(file)];
        const where = `${JSON.stringify(selection)}\n---\n${file}`;
        assert.ok(after.problems.length <= before.problems.length, where);
        assert.ok(after.tagged <= before.tagged, where);
        // Among the members of a type, only a comment fits.
        if (edits.every(({ text: written }) => /^(?:\s*\/\/[^\n]*)+\s*$/.test(written))) return;
        const wanted = [unifyLineEnds(sql), withoutFinalSemicolon(unifyLineEnds(sql))].map(spaced);
        assert.ok(
          after.values.some((value) => wanted.some((whole) => spaced(value).includes(whole))),
          where,
        );
      }),
      runs,
    );
  });
});
