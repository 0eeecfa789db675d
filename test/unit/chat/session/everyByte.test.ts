import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ndjson, type Asked } from '../../api/support/service.ts';
import { answer } from '../support/answers.ts';
import { answerOf, instantClock, message, open, outcomeOf } from '../support/sessions.ts';
import { flat } from '../../../support/item.ts';
import { runs } from '../../../support/runs.ts';

describe('every byte of an answer', () => {
  it('can be the last of its connection, and of its chunk', async () => {
    const step = runs(101, 1);
    const text = Array.from({ length: 80 }, (_, at) => `${at}🙂é東`).join(' ');
    const bytesFor = (body: Asked['body']): Uint8Array =>
      new TextEncoder().encode(ndjson(...answer({ body } as Asked, text)));
    const length = bytesFor({ messageId: '1700000000000-message', input: 'revenue?' }).length;
    assert.ok(length > 10_000);
    for (let cut = 0; cut < length; cut += step)
      for (const again of ['replay', 'continue'] as const) {
        let call = 0;
        const cutting: typeof fetch = (_, init) => {
          const bytes = bytesFor(JSON.parse(String(init?.body)) as Asked['body']);
          const whole = bytes.lastIndexOf(10, cut - 1) + 1;
          const stream = new ReadableStream<Uint8Array>({
            start: (controller) => {
              if (call++ === 0) {
                controller.enqueue(bytes.slice(0, cut));
                setImmediate(() => controller.error(new TypeError('terminated')));
                return;
              }
              const from = again === 'replay' || cut === 0 ? 0 : whole;
              for (const [a, b] of [
                [from, Math.max(from, cut)],
                [Math.max(from, cut), bytes.length],
              ])
                controller.enqueue(bytes.slice(a, b));
              controller.close();
            },
          });
          return Promise.resolve(new Response(stream));
        };
        const { session } = open({ url: 'http://localhost', fetch: cutting, clock: instantClock() });
        await session.send(message());
        assert.deepEqual([answerOf(session), outcomeOf(session)], [text, 'done'], `${again} after byte ${cut}`);
        assert.equal(flat(session.thread).length, 2);
      }
  });

  it('of the first line can be the last, even if the connection was closed normally', async () => {
    const bytes = (body: Asked['body']): Uint8Array<ArrayBuffer> =>
      new TextEncoder().encode(ndjson(...answer({ body } as Asked, 'Up 12 %.')));
    for (let cut = 0; cut <= bytes({}).indexOf(10); cut += 1) {
      let asked = 0;
      const closing: typeof fetch = (_, init) => {
        const all = bytes(JSON.parse(String(init?.body)) as Asked['body']);
        return Promise.resolve(new Response((asked += 1) === 1 ? all.subarray(0, cut) : all));
      };
      const { session, unsent } = open({ url: 'http://localhost', fetch: closing, clock: instantClock() });
      await session.send(message());
      assert.deepEqual([answerOf(session), outcomeOf(session), unsent], ['Up 12 %.', 'done', []], `after byte ${cut}`);
    }
  });
});
