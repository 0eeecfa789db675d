import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  isBlank,
  leadingWhite,
  lineAt,
  linesOf,
  withoutLineEdges,
  withoutTrailing,
} from '../../../../src/shared/text/lines.ts';

describe('lines of a text', () => {
  const text = 'ab\r\n\r\ncd\ne';

  it('have offsets, and no line breaks of Unix or Windows', () => {
    assert.deepEqual(linesOf(text), [
      { start: 0, end: 2, text: 'ab' },
      { start: 4, end: 4, text: '' },
      { start: 6, end: 8, text: 'cd' },
      { start: 9, end: 10, text: 'e' },
    ]);
    assert.deepEqual(
      ['', 'a', 'a\n', '\n'].map((each) => linesOf(each).map((line) => line.text)),
      [[''], ['a'], ['a', ''], ['', '']],
    );
  });

  it('are found at any of their offsets', () => {
    assert.deepEqual(
      [0, 2, 3, 4, 6, 8, 9, 10].map((offset) => lineAt(text, offset).text),
      ['ab', 'ab', 'ab', '', 'cd', 'cd', 'e', 'e'],
    );
    assert.deepEqual(lineAt('\r', 0), { start: 0, end: 0, text: '' });
    assert.deepEqual(lineAt('\na', 0), { start: 0, end: 0, text: '' });
  });

  it('are blank if they have only white space', () =>
    assert.deepEqual(['', ' \t\r', 'a', ' a '].map(isBlank), [true, true, false, false]));

  it('are indented by spaces and tabs only', () =>
    assert.deepEqual([' \t a', ' \n b', '\u00a0c', 'd'].map(leadingWhite), [' \t ', ' ', '', '']));

  it('lose the indentation and the last line break of a selection', () => {
    const edges = (start: number, end: number) => withoutLineEdges('  ab\n\tcd\nef', { start, end });
    assert.deepEqual(edges(0, 5), { start: 2, end: 4 });
    assert.deepEqual(edges(1, 4), { start: 1, end: 4 });
    assert.deepEqual(edges(5, 9), { start: 6, end: 8 });
    assert.deepEqual(edges(5, 7), { start: 6, end: 7 });
    assert.deepEqual(edges(5, 5), { start: 5, end: 5 });
    assert.deepEqual(edges(4, 5), { start: 4, end: 4 });
    assert.deepEqual(withoutLineEdges('   \n', { start: 0, end: 2 }), { start: 2, end: 2 });
  });
});

describe('trailing characters', () => {
  it('are removed at the end only, also if nothing else is left', () => {
    assert.equal(withoutTrailing('0100', '0'), '01');
    assert.equal(withoutTrailing('a/b//', '/='), 'a/b');
    assert.equal(withoutTrailing('000', '0'), '');
    assert.equal(withoutTrailing('', '0'), '');
  });
});
