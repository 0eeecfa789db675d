/**
 * A service whose connections fail in every way that a network, a gateway or a restart can cause. It keeps one run per
 * `messageId` and resumes it by continuing, by replaying it, or with a snapshot.
 */
import { seeded } from '../../../support/random.ts';
import { ndjson, serve, type Asked, type Service } from '../../api/support/service.ts';
import { cutoff, delta, final, state } from './answers.ts';

export const REATTACH = ['continue', 'replay', 'snapshot'] as const;
const REFUSALS = ['suspended', 'busy', '5xx', 'html', 'down'] as const;
const ENDINGS = ['reset', 'halfClose', 'timeout', 'cutMidLine', 'swallowed'] as const;
const PACES = ['whole', 'slices', 'latency', 'bandwidth'] as const;
const DISTURBANCES = ['none', 'corrupt', 'duplicate', 'reorder'] as const;

export interface Plan {
  seed: number;
  reattach: (typeof REATTACH)[number];
  /** Number of lost connections before one succeeds. */
  cuts: number;
  settles: boolean;
}

export interface FaultyService {
  service: Service;
  /** The texts that the thread must contain in the end. */
  texts: Record<string, string>;
  /** Whether lines were corrupted or swapped; then only the final state can be checked. */
  isDisturbed: () => boolean;
}

const BUSY = 'Streaming for thread is in progress';
const HTML = '<!DOCTYPE html><html><body><h1>Bad Gateway</h1></body></html>';
const tick = (): Promise<void> => new Promise(setImmediate);

/** The lines of a run, starting with its echo, and their texts. */
function linesOf(plan: Plan, { body }: Asked): { lines: object[]; texts: Record<string, string> } {
  const random = seeded(plan.seed * 7 + 1);
  const lines: object[] = [{ id: body.messageId, role: 'user', content: body.input, isDelta: false }];
  const texts: Record<string, string> = {};
  let word = 0;
  for (const id of ['m1', 'm2', 'f']) {
    const path = id === 'f' ? ['final'] : ['svc_data_analyst_agent'];
    let text = '';
    for (let at = 0; at < 4 + random() * 20; at += 1) {
      const piece = `${(word += 1)}${['🙂', 'é', '東', 'x'][word % 4]} `;
      text += piece;
      lines.push({ ...delta(piece, 0, id), graphPath: path });
    }
    texts[id] = text;
    if (plan.settles || id === 'f') lines.push({ ...final(text, 0, id), graphPath: path });
    if (id === 'f') continue;
    const call = { id: `t-${id}`, role: 'assistant', content: '', graphPath: [...path, 'tools'], isDelta: false };
    const toolCall = { name: 'svcMeta', input: '{"searchQuery":"x"}' };
    lines.push({ ...call, isInProcess: true, toolCall });
    lines.push({ ...call, isInProcess: false, toolCall: { ...toolCall, result: '{"cubes":[]}' } });
  }
  return { lines: lines.map((line, sort) => ({ ...line, sort: sort + 1 })), texts };
}

/** A snapshot of the lines up to `reached`: each item once, in its latest state. */
function snapshotOf(lines: readonly object[], reached: number): object[] {
  const items = new Map<unknown, Record<string, unknown>>();
  for (const line of lines.slice(0, reached) as Record<string, unknown>[]) {
    const known = items.get(line.id);
    const content = line.isDelta === true && known ? `${String(known.content)}${String(line.content)}` : line.content;
    items.set(line.id, { ...known, ...line, content, isDelta: false, sort: known?.sort ?? line.sort });
  }
  return [...items.values()];
}

/** Starts a service that follows the plan; the same seed produces the same faults. */
export async function startFaulty(plan: Plan): Promise<FaultyService> {
  const random = seeded(plan.seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const texts: Record<string, string> = {};
  let lines: object[] | undefined;
  let reached = 0;
  let cuts = plan.cuts;
  let disturbed = false;

  const refuse = ({ response, body }: Asked, how: (typeof REFUSALS)[number]): unknown => {
    const suspended = {
      id: '__suspended__',
      type: 'suspend',
      retryable: true,
      messageId: body.messageId,
      error: 'later',
    };
    switch (how) {
      case 'suspended':
        return response.end(ndjson(cutoff(), suspended));
      case 'busy':
        return random() < 0.5
          ? response.end(ndjson(cutoff('c1', true), { error: BUSY }))
          : response.writeHead(409).end(JSON.stringify({ error: BUSY }));
      case '5xx':
        return response.writeHead(pick([500, 502, 503, 504]), { 'content-type': 'text/html' }).end(HTML);
      case 'html':
        return response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
      case 'down':
        return response.socket?.destroy();
    }
  };

  const disturb = (texts: string[], how: (typeof DISTURBANCES)[number]): string[] => {
    const at = 1 + Math.floor(random() * (texts.length - 1));
    const line = texts[at];
    if (line === undefined || line.includes('toolCall')) return texts;
    disturbed ||= how !== 'none';
    if (how === 'corrupt') return texts.with(at, `<${line.slice(1)}`);
    if (how === 'duplicate') return texts.toSpliced(at, 0, line);
    const other = texts[at - 1];
    return how === 'reorder' && other !== undefined && at > 1 ? texts.with(at, other).with(at - 1, line) : texts;
  };

  const write = async ({ response }: Asked, bytes: Buffer): Promise<void> => {
    const pace = pick(PACES);
    const size = pace === 'whole' ? bytes.length : pace === 'slices' ? 1 + random() * 400 : 64;
    for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
      response.write(bytes.subarray(Math.floor(at), Math.floor(at + size)));
      if (pace === 'latency' && random() < 0.1) await new Promise((resolve) => setTimeout(resolve, 3));
      else await tick();
    }
  };

  const service = await serve(async (asked) => {
    const { response, body } = asked;
    if (body.input === undefined) {
      const history = snapshotOf(lines ?? [], Infinity).map((line) => ({ ...line, isInProcess: false }));
      return response.end(ndjson(...history, cutoff(), state));
    }
    const run = linesOf(plan, asked);
    Object.assign(texts, run.texts);
    lines ??= run.lines;
    const isCut = cuts > 0;
    if (isCut) cuts -= 1;
    if (isCut && reached > 0 && random() < 0.3) return refuse(asked, pick(REFUSALS));
    const before = plan.reattach === 'snapshot' ? snapshotOf(lines, reached) : [];
    const rest = plan.reattach === 'replay' ? lines : lines.slice(reached);
    const to = isCut ? Math.floor(random() * rest.length) : rest.length;
    const ending = pick(ENDINGS);
    // A reset discards what the service has written and the client has not read; the service counts it as sent.
    const arrives = isCut && ending === 'swallowed' ? Math.floor(random() * (to + 1)) : to;
    const plain = [cutoff(), ...before, ...rest.slice(0, arrives), ...(isCut ? [] : [state])].map((line) =>
      ndjson(line),
    );
    const bytes = Buffer.from(disturb(plain, pick(DISTURBANCES)).join(''));
    response.flushHeaders();
    await write(asked, bytes);
    if (!isCut) return response.end();
    reached = Math.max(reached, lines.length - rest.length + to);
    switch (ending) {
      case 'reset':
      case 'swallowed':
        return response.socket?.resetAndDestroy();
      case 'halfClose':
        return response.end();
      case 'timeout':
        return undefined;
      case 'cutMidLine':
        response.write('{"id":"f","role":"assis');
        await tick();
        return response.destroy();
    }
  });
  return { service, texts, isDisturbed: () => disturbed };
}
