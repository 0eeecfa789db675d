/** Assigns lines to questions: questions of other clients, reused ids, and restarted numbering. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { reduce } from '../../../../src/shared/thread/reducer.ts';
import { emptyThread, type Thread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { shownTurns } from '../../../../src/shared/thread/turns.ts';
import * as make from '../support/threads.ts';
import { flat } from '../../../support/item.ts';

const { attached, delta, echo, finished, ids, marker, QUESTION, sent, threadOf, tool, whole } = make;

const NEXT = '1700000000001-message';
const loading: ThreadEvent = { type: 'loading' };
const asked = (id: string, content: string, sort?: number): ThreadEvent =>
  whole(id, content, { role: 'user', graphPath: [], sort });
/** The visible content: every question with its answer. */
const read = (...events: ThreadEvent[]): unknown[] =>
  shownTurns(threadOf(...events)).map(({ question, steps, answer }) => [
    question?.content,
    ...[...steps, ...(answer ? [answer] : [])].map(({ content }) => content),
  ]);

describe('questions of other clients', () => {
  it('are read with their answers, also if numbering restarts with each question', () => {
    const kept = [asked('u0', 'Q1', 1), whole('a0', 'A1', { sort: 2 }), asked('u1', 'Q2', 1)];
    const expected = [
      ['Q1', 'A1'],
      ['Q2', 'A2'],
    ];
    const all = [...kept, whole('a1', 'A2', { sort: 2 })];
    assert.deepEqual(read(loading, marker, ...all, finished), expected);
    assert.deepEqual(read(loading, ...all, marker, finished), expected);
    assert.deepEqual(read(loading, ...all, marker, finished, loading, ...all, finished), expected);
  });

  for (const [how, sorts] of [
    ['no numbers', []],
    ['numbers that rise', [1, 2, 3, 4]],
    ['numbers that begin anew', [1, 2, 1, 2]],
  ] as const)
    it(`are above the running question if they were shown before, with ${how}`, () => {
      const [one, two, three, four] = sorts;
      const history = [asked('u0', 'earlier', one), whole('a0', 'known', { sort: two })];
      const answer = whole('a', 'Up.', { sort: four });
      const expected = [
        ['earlier', 'known'],
        ['revenue?', 'Up.'],
      ];
      assert.deepEqual(read(sent(), ...history, marker, echo('revenue?', { sort: three }), answer), expected);
      assert.deepEqual(read(sent(), marker, ...history, echo('revenue?', { sort: three }), answer), expected);
      assert.deepEqual(read(sent(), ...history, marker, answer), expected, 'without an echo');
    });

  it('are inserted between existing turns in the order of the thread', () => {
    const turns = Array.from({ length: 8 }, (_, at) => [asked(`u${at}`, `Q${at}`), whole(`a${at}`, `A${at}`)]);
    const all = turns.map((_, at) => [`Q${at}`, `A${at}`]);
    const of = (...these: number[]): ThreadEvent[] => these.flatMap((at) => turns[at] ?? []);
    const first = [loading, ...of(0, 2, 5), marker, finished];
    for (const known of [first, [...first, loading, ...of(0, 1, 2, 4, 5), marker, finished]]) {
      const history = of(0, 1, 2, 3, 4, 5, 6, 7);
      assert.deepEqual(read(...known, loading, ...history, marker, finished), all);
      assert.deepEqual(read(...known, loading, marker, ...history, finished), all);
    }
    const expected = [...all, ['revenue?', 'Up.']];
    const own = [...first, sent(), ...of(0, 1, 2, 3, 4, 5, 6, 7), marker, echo(), whole('a', 'Up.'), finished];
    assert.deepEqual(read(...own), expected);
    assert.deepEqual(read(...own, loading, ...of(0, 1, 2), marker, finished), expected);
  });

  it('follow the turn that they follow in the read thread', () => {
    const first = [loading, asked('u0', 'Q0'), asked('mine', 'Mine'), asked('u2', 'Q2'), finished];
    const expected = [['Q0'], ['Q1'], ['Mine'], ['Q2']];
    assert.deepEqual(read(...first, loading, asked('u0', 'Q0'), asked('u1', 'Q1'), asked('u2', 'Q2')), expected);
  });

  it('with the same text are not the running question', () => {
    const history = [asked('u0', 'revenue?'), whole('a0', 'Down.')];
    assert.deepEqual(read(sent(), ...history, marker, echo(), whole('a', 'Up.')), [
      ['revenue?', 'Down.'],
      ['revenue?', 'Up.'],
    ]);
  });
});

describe('the running question', () => {
  it('is distinguished from later questions with the same text, and those of other clients', () => {
    const again = asked('srv-2', 'revenue?');
    assert.deepEqual(read(sent(), marker, asked('srv-1', 'revenue?'), whole('a', 'Up.'), again, whole('b', 'Down.')), [
      ['revenue?', 'Up.'],
      ['revenue?', 'Down.'],
    ]);
    const other = asked('1600000000000-message', 'revenue?');
    assert.deepEqual(read(sent(), marker, other, whole('a', 'Down.'), echo(), whole('b', 'Up.')), [
      ['revenue?', 'Down.'],
      ['revenue?', 'Up.'],
    ]);
  });

  it('stays above its answer, even if that arrives before the echo', () => {
    const lines = [delta('a', 'U', { sort: 1 }), echo('revenue?', { sort: 2 }), delta('a', 'p.', { sort: 3 })];
    assert.deepEqual(read(sent(), marker, ...lines), [['revenue?', 'Up.']]);
  });

  it('is identified by the id of the service, however often that arrives', () => {
    const named = echo('revenue?', { id: 'srv-1', sort: 1 });
    const again = [marker, named, named, whole('a', 'Up.', { sort: 2 })];
    const expected = [['revenue?', 'Up.']];
    assert.deepEqual(read(sent(), ...again), expected);
    assert.deepEqual(read(sent(), ...again.slice(0, 2), attached, ...again), expected);
    const next = [named, whole('a', 'Up.'), marker, echo('why?', { id: 'srv-2' }), whole('b', 'South.')];
    assert.deepEqual(read(sent(), ...again, finished, sent('why?', NEXT), ...next), [...expected, ['why?', 'South.']]);
  });

  it('keeps its answer if another connection replays older turns after the marker, and continues', () => {
    const older = [asked('u0', 'old'), whole('a0', 'known')];
    const begun = [loading, ...older, finished, sent(), marker, echo(), delta('a', 'Let me look.')];
    const rest = [tool('t'), delta('b', 'Up '), delta('b', '12 %.'), whole('b', 'Up 12 %.')];
    assert.deepEqual(read(...begun, attached, marker, ...older, ...rest, finished), [
      ['old', 'known'],
      ['revenue?', 'Let me look.', '', 'Up 12 %.'],
    ]);
  });

  it('keeps its answer if a later connection replays older turns first', () => {
    const first = [asked('u0', 'old', 1), whole('a0', 'known', { sort: 2 })];
    const begun = [marker, echo('revenue?', { sort: 1 }), delta('a', 'Let me look.', { sort: 2 })];
    // The second connection continues and restarts the numbering.
    const rest = [tool('t', { sort: 1 }), delta('b', 'Up.', { sort: 2 })];
    const before = [loading, ...first, finished, sent(), ...first, ...begun];
    const thread = threadOf(...before, attached, ...first, marker, ...rest);
    assert.deepEqual(ids(thread), ['u0', 'a0', QUESTION, 'a', 't', 'b']);
  });
});

describe('a running question without an echo', () => {
  const older = [asked('u0', 'old'), whole('a0', 'known')];
  const begun = [delta('a', 'Let me '), delta('a', 'look.')];
  const rest = [tool('t'), delta('b', 'Up.')];
  const expected = [
    ['old', 'known'],
    ['revenue?', 'Let me look.', '', 'Up.'],
  ];
  const all = [...begun, ...rest];

  for (const [what, before] of [
    ['older turns', [loading, ...older, finished, sent()]],
    ['turns that are new here', [sent()]],
  ] as const) {
    it(`has the answer that follows ${what}`, () => {
      assert.deepEqual(read(...before, marker, ...older, ...all, finished), expected);
      assert.deepEqual(read(...before, ...older, marker, ...all, finished), expected);
    });

    it(`keeps its answer if another connection starts with ${what}`, () => {
      for (const again of [[...older, marker], [marker, ...older], older])
        for (let cut = 1; cut < all.length; cut += 1) {
          const first = [...before, marker, ...all.slice(0, cut)];
          assert.deepEqual(read(...first, attached, ...again, ...all, finished), expected, `${cut}`);
        }
    });
  }

  it('has an answer with the ids of an older one', () => {
    const final = whole('a', 'known');
    const written = [delta('a', 'U'), delta('a', 'p.'), whole('a', 'Up.'), finished];
    const turns = [
      ['old', 'known'],
      ['revenue?', 'Up.'],
    ];
    const known = [loading, asked('u0', 'old'), final, finished, sent(), marker, asked('u0', 'old'), final];
    assert.deepEqual(read(...known, ...written), turns);
    assert.deepEqual(read(sent(), marker, asked('u0', 'old'), final, ...written), turns);
  });

  it('leaves lines of an older turn to that turn', () => {
    const more = [asked('u0', 'old'), whole('t0', 'step'), whole('a0', 'known'), marker, ...all, finished];
    assert.deepEqual(read(loading, ...older, finished, sent(), ...more)[0], ['old', 'step', 'known']);
  });
});

describe('a reused id', () => {
  const turn = (id: string, question: string, answer: string): ThreadEvent[] => [
    echo(question, { id }),
    whole('final', answer, { graphPath: ['final'] }),
  ];
  const one = turn(QUESTION, 'one?', '1');
  const both = [sent('one?'), marker, ...one, finished, sent('two?', NEXT)];
  const expected = [
    ['one?', '1'],
    ['two?', '2'],
  ];

  it('is another message in the answer to another question, even with the same text', () => {
    assert.deepEqual(read(...both, marker, ...turn(NEXT, 'two?', '1')), [expected[0], ['two?', '1']]);
  });

  it('in a replayed thread belongs to its turn', () => {
    const two = turn(NEXT, 'two?', '2');
    assert.deepEqual(read(...both, ...one, marker, ...two), expected);
    assert.deepEqual(read(...both, ...one, marker, ...two, finished, loading, ...one, ...two, marker), expected);
    assert.deepEqual(read(loading, ...one, ...two, marker), expected, 'as another client asked');
  });

  it('after the marker belongs to the running question, even without an echo', () => {
    const two = whole('final', '2', { graphPath: ['final'] });
    assert.deepEqual(read(...both, marker, two), expected);
    const begun = [marker, echo('two?', { id: NEXT }), tool('t')];
    const steps = read(...both, ...begun, attached, marker, two);
    assert.deepEqual(steps, [expected[0], ['two?', '', '2']]);
  });

  it('is treated the same line by line and at once, if an older answer ends after the marker', () => {
    const older = [...one.slice(0, 1), delta('final', '1 and')];
    const events = [
      ...both,
      ...older,
      marker,
      delta('final', ' more'),
      whole('final', '1 and more'),
      delta('final', '2'),
    ];
    const each = events.reduce(reduce, emptyThread('t'));
    assert.deepEqual(threadOf(...events), each);
  });

  it('is separate for questions and answers', () => {
    const answered = threadOf(sent(), marker, echo(), delta(QUESTION, 'Up '), whole(QUESTION, 'Up 12 %.'));
    const contents = (thread: Thread): string[] => flat(thread).map(({ content }) => content);
    assert.deepEqual(contents(answered), ['revenue?', 'Up 12 %.']);
    const question = asked('a', 'why?');
    const other = threadOf(sent(), marker, echo(), whole('a', 'Up.'), question, question);
    assert.deepEqual(contents(other), ['revenue?', 'Up.', 'why?']);
  });
});

describe('missed lines of an answer', () => {
  it('are at their position when the answer is replayed, whatever arrived without them', () => {
    const [first, second] = [delta('m1', 'Looking. ', { sort: 2 }), delta('m2', 'Found. ', { sort: 5 })];
    const calls = [tool('t1', { sort: 3 }), tool('t2', { sort: 6 })];
    const all = [
      echo('revenue?', { sort: 1 }),
      first,
      calls[0]!,
      delta('m1', 'Still. ', { sort: 4 }),
      second,
      calls[1]!,
    ];
    const expected = ids(threadOf(sent(), marker, ...all));
    assert.deepEqual(expected.slice(1), ['m1', 't1', 'm2', 't2']);
    // Corrupted lines, and a lost connection.
    for (const missed of [[1], [1, 3], [1, 3, 4], [1, 2, 3], [4], [2]])
      for (let cut = 2; cut <= all.length; cut += 1) {
        const came = all.slice(0, cut).filter((_, at) => !missed.includes(at));
        assert.deepEqual(
          ids(threadOf(sent(), marker, ...came, attached, marker, ...all)),
          expected,
          `${missed} ${cut}`,
        );
      }
  });
});
