/**
 * Files after an insertion, as read by the open-source compiler of such data models. The results are recorded, because
 * the compiler has 270 dependencies: `test/fixtures/model-compiler/recorded.json` names its version.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { indentLines } from '../../../src/insert/indent.ts';
import { applyEdits, planInsertion } from '../../../src/insert/plan.ts';
import { readMarks } from './insertCases.ts';

interface Recorded {
  place: string;
  fileName: string;
  before: string;
  sql: string;
  file: string;
  compiled: string;
}

const file = join(import.meta.dirname, '../../fixtures/model-compiler/recorded.json');
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Recorded[] };

describe('SQL in a data model', () => {
  for (const { place, fileName, before, sql, file: recorded, compiled } of cases) {
    it(`is preserved by the compiler: ${place}, ${JSON.stringify(sql)}`, () => {
      const { text, selections } = readMarks(before);
      const { edits } = planInsertion({
        document: { text, fileName, languageId: fileName.endsWith('.js') ? 'javascript' : 'yaml' },
        selections,
        sql,
        mode: 'insert',
        options: { tabSize: 2, insertSpaces: true, eol: '\n' },
      });
      assert.equal(applyEdits(text, edits), recorded);
      // A block scalar ends with a line break; a template literal has indented lines.
      const indented = indentLines(sql, '  ', { tabSize: 2, insertSpaces: true });
      assert.equal(compiled.replace(/\n$/, ''), fileName.endsWith('.js') ? indented : sql);
    });
  }
});
