import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seeded } from '../../../support/random.ts';
import { ndjson, reply, services } from '../../api/support/service.ts';
import { answer } from '../support/answers.ts';
import { REATTACH, startFaulty, type Plan } from '../support/faulty.ts';
import { answerOf, instantClock, message, open, outcomeOf } from '../support/sessions.ts';
import { flat } from '../../../support/item.ts';
import { isFull, runs } from '../../../support/runs.ts';

const TEXT = 'Revenue grew by 12 % in the second quarter 🙂, most of it in the south.';
const plans = runs(20, 2000);
const firstSeed = Number(process.env.SOAK_SEED ?? 1);

/** Runs one plan to its end. */
async function check(plan: Plan): Promise<void> {
  const { service, texts, isDisturbed } = await startFaulty(plan);
  try {
    const clock = instantClock(seeded(plan.seed + 9));
    const doubled: string[] = [];
    const { session, unsent, failures } = open({
      url: service.url,
      clock,
      stallTimeout: 60,
      onEvents: () => {
        for (const { id, content } of flat(session.thread))
          if (!isDisturbed() && content.length > (texts[id]?.length ?? content.length))
            doubled.push(`${id}: ${content}`);
      },
    });
    let id = await session.send(message());
    // If the connection is lost before the first line, the question returns to the composer and is sent again.
    for (let tries = 0; outcomeOf(session) !== 'done' && tries < 30; tries += 1) {
      if (unsent.length > 0) id = await session.send(message());
      else await session.retry();
    }
    const told = JSON.stringify(plan);
    assert.equal(
      outcomeOf(session),
      'done',
      `${told}, last failure: ${failures.at(-1)?.code} ${failures.at(-1)?.message}`,
    );
    for (const [item, text] of Object.entries(texts))
      assert.equal(flat(session.thread).find((each) => each.id === item)?.content, text, `${item} of ${told}`);
    assert.deepEqual(doubled, [], told);
    assert.deepEqual(
      flat(session.thread).map((item) => item.id),
      [id, 'm1', 't-m1', 'm2', 't-m2', 'f'],
      told,
    );
    for (const { toolCall } of flat(session.thread)) if (toolCall) assert.equal(toolCall.result, '{"cubes":[]}', told);
    const asked = service.asked.filter(({ body }) => body.input !== undefined);
    assert.deepEqual([...new Set(asked.map(({ body }) => body.messageId))], [id], told);
  } finally {
    await service.close();
  }
}

describe('an answer with random faults', () => {
  for (const reattach of REATTACH)
    // The final line of each message restores what a continuing service sent into a lost connection.
    it(`arrives whole and once from a service that reattaches by ${reattach}`, async () => {
      for (let run = 0; run * REATTACH.length < plans; run += 1) {
        const seed = firstSeed + run;
        await check({ seed, reattach, cuts: run % 21, settles: run % 2 === 0 || reattach === 'continue' });
      }
    });

  // Only `npm run test:full` has the time: Node's HTTP client times out after 300 seconds.
  if (isFull)
    it('arrives after a silence that is longer than the HTTP client tolerates', async () => {
      const { start, closeAll } = services();
      const service = await start((asked) => {
        const lines = answer(asked, TEXT);
        if (service.asked.length > 1) return reply(asked, ...lines);
        return asked.response.write(ndjson(...lines.slice(0, 9)));
      });
      const { session, failures } = open({ url: service.url, stallTimeout: 20 * 60_000 });
      await session.send(message());
      assert.deepEqual([answerOf(session), outcomeOf(session), failures.length], [TEXT, 'done', 0]);
      assert.equal(service.asked.length, 2);
      await closeAll();
    });
});
