import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { plural, t, useBundle } from '../../../../src/shared/text/l10n.ts';

describe('localized strings', () => {
  afterEach(() => useBundle({}, 'en'));
  const rows = (count: number): string => plural(count, '{0} row|{0} rows');

  it('are English without a translation', () => {
    useBundle({}, 'fr');
    assert.equal(t('Ask {0}', 'Ana'), 'Ask Ana');
    assert.equal(t('{10} {11}', ...'abcdefghijk'), 'k {11}');
    assert.deepEqual([0, 1, 2, 5].map(rows), ['0 rows', '1 row', '2 rows', '5 rows']);
  });

  it('contain the values at the positions of the translation, without replacing placeholders in values', () => {
    useBundle({ '{0} of {1}': '{1}, davon {0}' }, 'de');
    assert.equal(t('{0} of {1}', '{1}', 3), '3, davon {1}');
  });

  it('have the plural form of the count in the language', () => {
    useBundle({ '{0} row|{0} rows': '{0} wiersz|{0} wiersze|{0} wierszy|{0} wiersza' }, 'pl');
    assert.deepEqual([1, 2, 5, 22, 0.5].map(rows), ['1 wiersz', '2 wiersze', '5 wierszy', '22 wiersze', '0.5 wiersza']);
    useBundle({ '{0} row|{0} rows': '{0} ligne|{0} lignes' }, 'fr');
    assert.deepEqual([0, 1, 2].map(rows), ['0 ligne', '1 ligne', '2 lignes']);
    useBundle({ '{0} row|{0} rows': '{0} rinda|{0} rindas' }, 'lv');
    assert.deepEqual([0, 1, 2].map(rows), ['0 rindas', '1 rinda', '2 rindas']);
    useBundle({ '{0} row|{0} rows': '{0} 行' }, 'ja');
    assert.equal(rows(1), '1 行');
  });

  it('may format the count differently from the deciding number', () => {
    assert.equal(plural(1, '{0} of {1} row|{0} of {1} rows', '1', '1'), '1 of 1 row');
    assert.equal(plural(12_345, '{0} of {1} row|{0} of {1} rows', '100', '12,345'), '100 of 12,345 rows');
  });
});
