import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseProvenance, provenanceText } from '../../../src/insert/provenance.ts';
import type { Provenance } from '../../../src/insert/types.ts';
import { hostileSql, runs } from './arbitrarySql.ts';
import { anyText } from '../../support/text.ts';

const base: Provenance = {
  question: 'How many?',
  branch: 'main',
  identity: 'ana',
  time: 0,
  threadId: 't',
  toolCallId: 'c',
};

describe('a provenance comment', () => {
  it('names the origin of SQL in plain text', () => {
    assert.equal(
      provenanceText({ ...base, question: 'Umsatz je Größe, 日本?' }),
      'Analytics Chat: question="Umsatz je Größe, 日本?" branch="main" as="ana" at="1970-01-01T00:00:00.000Z" thread="t" call="c"',
    );
  });

  it('has no time if the time of the question is unknown', () => {
    assert.match(provenanceText({ ...base, time: NaN }), / at="" /);
  });

  it('is restored whatever it contains, as one line without comment ends or delimiters of any target', () => {
    const text = fc.oneof(hostileSql, anyText({ minLength: 1, maxLength: 40 }));
    fc.assert(
      fc.property(
        text,
        text,
        text,
        text,
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
        (question, branch, identity, threadId, date) => {
          const provenance = { question, branch, identity, threadId, toolCallId: threadId, time: date.getTime() };
          const body = provenanceText(provenance);
          assert.doesNotMatch(body, /[\r\n\u0085\u2028\u2029`{}\\'*]|-->|--|[\u202a-\u202e\u200b-\u200f]/);
          for (const mark of ['--', '#', '//'])
            assert.deepEqual(parseProvenance(`  ${mark} ${body}`), { ...provenance, ...wellFormed(provenance) });
        },
      ),
      runs,
    );
  });

  it('truncates a long question', () => {
    const parsed = parseProvenance(`-- ${provenanceText({ ...base, question: 'x'.repeat(5000) })}`);
    assert.equal(parsed?.question, `${'x'.repeat(199)}…`);
  });

  it('is not found in other lines', () => {
    for (const line of [
      '',
      '-- Analytics Chat',
      'SELECT 1',
      '-- Analytics Chat: question="a"',
      '-- Analytics Chat: question="a" thread=""',
    ]) {
      assert.equal(parseProvenance(line), undefined);
    }
  });

  it('is not that of the text behind it on its line', () => {
    const line = `'-- ${provenanceText(base)}\\nSELECT a AS thread="b", c AS call="d"'`;
    assert.equal(parseProvenance(line)?.threadId, base.threadId);
  });

  it('survives invalid encoding', () => {
    assert.equal(parseProvenance('-- Analytics Chat: question="100%" thread="t"')?.question, '100%');
  });
});

/** The same text with each lone surrogate replaced, truncated like a question. */
function wellFormed({ question, branch, identity, threadId, toolCallId }: Provenance): Partial<Provenance> {
  const letters = [...question];
  const short = letters.length <= 200 ? question : `${letters.slice(0, 199).join('')}…`;
  return {
    question: short.toWellFormed(),
    branch: branch.toWellFormed(),
    identity: identity.toWellFormed(),
    threadId: threadId.toWellFormed(),
    toolCallId: toolCallId.toWellFormed(),
  };
}
