import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { addQuestion } from '../../../../src/evals/files/addQuestion.ts';
import { writeCertified } from '../../../../src/evals/files/certifiedQueries.ts';
import { readQuestionSet } from '../../../../src/evals/files/questionSet.ts';
import type { SourceFile } from '../../../../src/shared/text/sourceFile.ts';

const NEW = { name: 'revenue_by_month', request: 'Revenue by month?', sql: 'SELECT 1\nFROM sales' };

/** The SQL that a question with this certified query is graded by. */
function sqlReadFrom(certified: SourceFile, certifiedQuery: string): string | undefined {
  const { text } = addQuestion('', { name: 'q', text: 'Revenue?', certifiedQuery });
  const { questions, problems } = readQuestionSet([certified, { path: '.analytics-chat/questions.yml', text }]);
  assert.deepEqual(problems, [], certified.text);
  return questions[0]?.expectedSql?.sql;
}

describe('writing a certified query', () => {
  it('puts the name and the question into the front matter, and the SQL below', () => {
    assert.deepEqual(writeCertified(NEW), {
      path: 'agents/certified_queries/revenue_by_month.md',
      text: '---\nname: revenue_by_month\nuser_request: Revenue by month?\n---\n\nSELECT 1\nFROM sales\n',
    });
  });

  it('writes no blank lines around the SQL', () => {
    const { text } = writeCertified({ ...NEW, sql: '\n\n SELECT 1\n\n' });
    assert.ok(text.endsWith('---\n\nSELECT 1\n'), text);
  });

  it('writes a file from which a question test reads the same SQL', () => {
    for (const sql of [NEW.sql, 'SELECT 1 -- a\r\n---\r\nFROM t', '  SELECT "a: b" # {x}\n'])
      assert.equal(sqlReadFrom(writeCertified({ ...NEW, sql }), NEW.name), sql.replaceAll('\r\n', '\n').trim());
  });

  for (const request of ['what: "a" #1?', 'a\n---\nb', '- yes', 'true', 'y'])
    it(`quotes the question ${JSON.stringify(request)} so that it stays in the front matter`, () => {
      const file = writeCertified({ ...NEW, request });
      assert.equal(sqlReadFrom(file, NEW.name), NEW.sql);
      assert.ok(file.text.includes(`user_request: ${JSON.stringify(request)}\n`), file.text);
    });

  it('encodes characters of the name that a path must not have', () => {
    assert.equal(writeCertified({ ...NEW, name: '../con' }).path, 'agents/certified_queries/%2e%2e%2fcon.md');
  });
});
