import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { matchingFiles } from '../../../../webview/composer/matchingFiles.ts';

const paths = ['a/orders/index.yml', 'b/reorders.yml', 'orders.yml', 'c/Orders.sql'];
const files = paths.map((path) => ({ path, uri: path }));
const found = (query: string): string[] => matchingFiles(files, query).map(({ file }) => file.path);

describe('the files behind an @', () => {
  it('are those whose names begin with the query, then those that contain it in their names or folders', () => {
    assert.deepEqual(found('ord'), ['orders.yml', 'c/Orders.sql', 'b/reorders.yml', 'a/orders/index.yml']);
    assert.deepEqual(found('a/ord'), ['a/orders/index.yml']);
    assert.deepEqual(found(''), paths);
    assert.deepEqual(found('x1'), []);
  });

  it('have their name apart from their folder', () => {
    const [first] = matchingFiles(files, 'index');
    assert.deepEqual([first?.name, first?.folder], ['index.yml', 'a/orders']);
  });

  it('are at most fifty', () => {
    const many = Array.from({ length: 200 }, (_, at) => ({ path: `${at}.sql`, uri: '' }));
    assert.equal(matchingFiles(many, 'sql').length, 50);
  });
});
