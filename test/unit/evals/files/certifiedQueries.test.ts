/** Certified queries, in files of their own and in `agents/config.yml`. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SourceFile } from '../../../../src/shared/text/sourceFile.ts';
import { file, list, question, read } from './support.ts';

describe('certified queries', () => {
  const using = (name: string): SourceFile => file(list(question('a', `certifiedQuery: ${name}`)));
  const sqlOf = (...files: SourceFile[]): string | undefined => read(...files).questions[0]?.expectedSql?.sql;

  it('have their SQL in the front matter or in the body, also fenced', () => {
    const path = 'agents/certified-queries/by-file.md';
    assert.equal(
      sqlOf(using('n'), file('---\nname: n\nuser_request: q\nsql_query: SELECT 1\n---\nProse.', path)),
      'SELECT 1',
    );
    assert.equal(sqlOf(using('by-file'), file('---\nuser_request: q\n---\n\nSELECT 2\n', path)), 'SELECT 2');
    assert.equal(
      sqlOf(using('by-file'), file('\ufeff---\r\nuser_request: q\r\n---\r\n```sql\r\nSELECT 3\r\n```\r\n', path)),
      'SELECT 3',
    );
  });

  it('may be in agents/config.yml, as a list or by name', () => {
    const path = 'agents/config.yml';
    assert.equal(
      sqlOf(using('n'), file('certified_queries:\n  - {name: n, user_request: q, sql_query: SELECT 4}', path)),
      'SELECT 4',
    );
    assert.equal(
      sqlOf(using('n'), file('certified_queries:\n  n: {user_request: q, sql_query: SELECT 5}', path)),
      'SELECT 5',
    );
    assert.deepEqual(read(file('agents: []\n', path)).problems, []);
  });

  it('report what is missing in agents/config.yml, and keep the others', () => {
    const path = 'agents/config.yml';
    const problems = (text: string): string[] => read(file(text, path)).problems;
    const keys = 'A certified query must have the keys name, user_request, sql_query.';
    assert.deepEqual(problems('certified_queries: all\n'), [`${path}:1: “certified_queries” must be a list.`]);
    assert.deepEqual(problems('certified_queries:\n  - SELECT 1\n'), [`${path}:2: ${keys}`]);
    assert.deepEqual(problems('certified_queries:\n  - {user_request: q, sql_query: s}\n'), [
      `${path}:2: “name” is missing.`,
    ]);
    assert.deepEqual(problems('certified_queries:\n'), []);
    assert.deepEqual(problems('certified_queries:\n  n: SELECT 1\n'), [`${path}:2: ${keys}`]);
    assert.deepEqual(problems('certified_queries:\n  ? [n]\n  : {user_request: q, sql_query: s}\n'), [
      `${path}:1: ${keys}`,
    ]);
    const both = 'certified_queries:\n  - {name: m}\n  - {name: n, user_request: q, sql_query: SELECT 6}\n';
    assert.equal(sqlOf(using('n'), file(both, path)), 'SELECT 6');
  });

  it('report a name that another one has, and keep the first', () => {
    const text = (sql: string): string => `---\nname: n\nuser_request: q\n---\n${sql}`;
    const { questions, problems } = read(
      using('n'),
      file(text('SELECT 1'), 'agents/certified_queries/n.md'),
      file(text('SELECT 2'), 'agents/queries/old.md'),
    );
    assert.equal(questions[0]?.expectedSql?.sql, 'SELECT 1');
    assert.deepEqual(problems, [
      'agents/queries/old.md:2: The name “n” is already used at agents/certified_queries/n.md:2',
    ]);
  });

  it('have a body that is not one fenced block as it is', () => {
    const path = 'agents/queries/a.md';
    const body = (text: string): string | undefined =>
      sqlOf(using('a'), file(`---\nuser_request: q\n---\n${text}`, path));
    assert.equal(body('```\nSELECT 1\n```\nand more'), '```\nSELECT 1\n```\nand more');
    assert.equal(body('```sql\nSELECT 1\n'), '```sql\nSELECT 1');
    assert.equal(body('```sql \nSELECT 1\n``` \n'), 'SELECT 1');
    assert.equal(body('```sql\nSELECT 1\n--\nFROM a\n```'), 'SELECT 1\n--\nFROM a');
  });

  it('may have HTML comments in their body, which are not SQL', () => {
    const path = 'agents/queries/a.md';
    const body = (text: string): string | undefined =>
      sqlOf(using('a'), file(`---\nuser_request: q\n---\n${text}`, path));
    assert.equal(body("<!-- Don’t edit:\n it's -- certified -->\nSELECT 1 <!-- one -->"), 'SELECT 1');
    assert.equal(body('<!-- a -->\n```sql\nSELECT 1 <!---->+ 1\n```\n<!-- b -->'), 'SELECT 1  + 1');
    assert.equal(body('SELECT 1\n<!-- not closed'), 'SELECT 1');
    const sql = `SELECT '<!-- a -->', "<!-- b -->" -- <!-- c -->\n/* ' <!-- d --> */`;
    assert.equal(body(sql), sql, 'literals and comments of SQL');
    assert.equal(
      sqlOf(using('n'), file('---\nname: n\nuser_request: q\nsql_query: SELECT 1 <!-- a -->\n---\n', path)),
      'SELECT 1 <!-- a -->',
    );
  });

  it('report their errors at their lines', () => {
    const path = 'agents/queries/x.md';
    const problems = (text: string): string[] => read(file(text, path)).problems;
    for (const text of [
      'SELECT 1',
      '---\nuser_request: q\nSELECT 1',
      'user_request: q\n---\nSELECT 1',
      '\n---\nuser_request: q\n---\nSELECT 1',
    ])
      assert.deepEqual(
        problems(text),
        [`${path}:1: A certified query must start with front matter between two --- lines.`],
        text,
      );
    assert.match(problems('---\n- user_request\n---\nSELECT 1').join(), /:2: A certified query must start with/);
    assert.deepEqual(problems('---\nname: x\n---\nSELECT 1'), [`${path}:2: “user_request” is missing.`]);
    for (const body of ['', '```\n```\n', '```'])
      assert.deepEqual(problems(`---\nuser_request: q\n---\n${body}`), [`${path}:2: “sql_query” is missing.`]);
    assert.deepEqual(read(using('x'), file('---\nname: x\n---\nSELECT 1', path)).questions, [], 'not used');
    assert.match(
      problems('---\nuser_request: q\nname: "x\n---\nSELECT 1').join(),
      /^agents\/queries\/x\.md:[34]: YAML: /,
    );
  });
});
