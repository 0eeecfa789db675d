/** What is read of a thread file, and how a damaged one is repaired. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import { joined } from '../../../../src/chat/history/files/files.ts';
import { headOf, metaOf } from '../../../../src/chat/history/merge.ts';
import { encodeRecord, type Head } from '../../../../src/chat/history/format/records.ts';
import { storedTurn } from '../../../../src/chat/history/format/storedTurns.ts';
import { ThreadReader, type Damage } from '../../../../src/chat/history/threadReader.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { makeTurn } from '../../../support/item.ts';
import { memoryFiles } from './support/memoryFiles.ts';
import { textItem } from './support/stores.ts';

const FILE = 'a.ndjson';
const headWith = (title: string): Head => {
  const thread = emptyThread('a');
  return headOf(thread, { ...metaOf(thread, 1), title });
};
const head = encodeRecord(headWith('Orders'));
const turn = encodeRecord({
  kind: 'turn',
  turn: storedTurn(makeTurn({ id: 'q', content: 'Why?', time: 7 }, [textItem('x')]), undefined),
});
const message = (content: string) =>
  encodeRecord({ kind: 'message', turn: 'q', item: textItem('x', { content, updated: 9 }) });
const corrupt = new TextEncoder().encode('\n{"kind":"mess\n');
const TAIL = 16 * 1024;

function setUp(parts: readonly Uint8Array[], longest = 1e6) {
  const files = memoryFiles();
  files.set(FILE, ...parts);
  const damage: Damage[] = [];
  const reader = new ThreadReader(
    files,
    longest,
    (each) => damage.push(each),
    () => 77,
  );
  const titleOf = async (): Promise<string | undefined> =>
    (await reader.lastHead('a', (await files.stat(FILE))!))?.meta.title;
  return { files, reader, damage, titleOf };
}

describe('the head of a thread file', () => {
  it('is the last one, read from the end of the file only', async () => {
    const other = encodeRecord(headWith('Old'));
    const { files, titleOf } = setUp([other, message('m'.repeat(TAIL)), other, head, turn]);
    assert.equal(await titleOf(), 'Orders');
    const { size } = (await files.stat(FILE))!;
    assert.deepEqual(files.log, [`read ${FILE} ${size - TAIL}`]);
  });

  it('is read from a file that is shorter than that', async () => {
    const { files, titleOf } = setUp([head]);
    assert.equal(await titleOf(), 'Orders');
    assert.deepEqual(files.log, [`read ${FILE} 0`]);
  });

  it('is derived from the turns if the end of the file has none', async () => {
    for (const end of [message('m'.repeat(TAIL)), encodeRecord({ kind: 'later' }), encodeRecord({ kind: 'head' })]) {
      const { reader, files } = setUp([turn, message('Up.'), end]);
      const found = await reader.lastHead('a', (await files.stat(FILE))!);
      assert.deepEqual(
        [found?.meta.title, found?.meta.questions, found?.meta.updatedAt, found?.state.asked],
        ['Why?', 1, 9, 7],
      );
    }
    assert.equal(await setUp([corrupt]).titleOf(), undefined);
    assert.equal(await setUp([]).titleOf(), undefined);
  });
});

describe('reading a thread file', () => {
  const files = memoryFiles();
  const readerOf = (longest: number): ThreadReader =>
    new ThreadReader(
      files,
      longest,
      () => undefined,
      () => 0,
    );
  const kindOf = (longest: number): Promise<string> =>
    readerOf(longest)
      .read('a')
      .then(
        () => 'read',
        ({ kind }: HistoryError) => kind,
      );

  it('is rejected if there is none', async () => {
    assert.equal(await kindOf(1e6), 'notFound');
  });

  it('is rejected if its items are too large, old versions not counted, or one line is', async () => {
    const item = message('m'.repeat(1000));
    files.set(FILE, item, item, item, head);
    assert.deepEqual([await kindOf(item.length), await kindOf(item.length - 1)], ['read', 'tooLarge']);
    files.set(FILE, new TextEncoder().encode('m'.repeat(1000)));
    assert.deepEqual([await kindOf(1000), await kindOf(999)], ['read', 'tooLarge']);
  });

  it('counts corrupt lines, and is complete only if a head is at its end', async () => {
    const cases: [isComplete: boolean, corrupt: number, ...Uint8Array[]][] = [
      [true, 0, turn, head],
      [true, 0, head],
      [true, 1, corrupt, head],
      [false, 0, head, turn],
      [false, 1, head, corrupt],
      [false, 0, head, encodeRecord({ kind: 'later' })],
      [false, 0, head, turn.subarray(0, 20)],
      [false, 0],
    ];
    for (const [isComplete, count, ...parts] of cases) {
      files.set(FILE, ...parts);
      const { reading } = await readerOf(1e6).read('a');
      assert.deepEqual(
        [reading.complete, reading.corrupt],
        [isComplete, count],
        new TextDecoder().decode(joined(parts)),
      );
    }
  });
});

describe('repairing a thread file', () => {
  it('leaves an intact file unchanged, also one that was cut', async () => {
    for (const parts of [
      [turn, head],
      [head, turn.subarray(0, 20)],
    ]) {
      const { reader, files, damage } = setUp(parts);
      await reader.repair('a');
      assert.deepEqual(files.log, [`lock ${FILE}`, `read ${FILE} 0`, `unlock ${FILE}`]);
      assert.deepEqual(damage, []);
    }
  });

  it('keeps a copy of a damaged file, and rewrites the readable records', async () => {
    const { reader, files, damage } = setUp([head, corrupt, turn, corrupt, head]);
    const before = files.contents.get(FILE);
    await reader.repair('a');
    assert.deepEqual(files.contents.get('a.77.damaged'), before);
    assert.deepEqual(damage, [{ threadId: 'a', copy: 'a.77.damaged', kept: 3, lost: 2 }]);
    assert.deepEqual(files.log.slice(2), [`copy ${FILE} a.77.damaged`, `replace ${FILE}`, `unlock ${FILE}`]);
    const { reading } = await reader.read('a');
    assert.deepEqual([reading.corrupt, reading.complete, reading.merge.result('a', 0).meta.questions], [0, true, 1]);
  });

  it('removes a file without any readable record, and keeps its copy', async () => {
    for (const [parts, lost] of [
      [[corrupt, corrupt], 2],
      [[], 1],
    ] as const) {
      const { reader, files, damage } = setUp(parts);
      await reader.repair('a');
      assert.deepEqual([...files.contents.keys()], ['a.77.damaged']);
      assert.deepEqual(damage, [{ threadId: 'a', copy: 'a.77.damaged', kept: 0, lost }]);
    }
  });

  it('reports the damage if it fails, unless the file is gone', async () => {
    for (const [kind, expected] of [
      ['denied', [{ threadId: 'a', copy: undefined, kept: 2, lost: 1 }]],
      ['notFound', []],
    ] as const)
      for (const operation of ['lock', 'copy'] as const) {
        const { reader, files, damage } = setUp([turn, corrupt, head]);
        const { reading } = await reader.read('a');
        files.log.length = 0;
        Object.assign(files, { [operation]: () => Promise.reject(new HistoryError(kind)) });
        await reader.repair('a', reading);
        assert.deepEqual(damage, expected);
        assert.equal(files.log.at(-1), operation === 'lock' ? undefined : `unlock ${FILE}`);
      }
    const { reader, files, damage } = setUp([corrupt]);
    files.lock = () => Promise.reject(new HistoryError('denied'));
    await reader.repair('a');
    assert.deepEqual(damage, [{ threadId: 'a', copy: undefined, kept: 0, lost: 1 }]);
  });
});
