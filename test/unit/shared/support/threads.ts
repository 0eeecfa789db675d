/** Shorthands for the events of a thread. */
import { reduceAll } from '../../../../src/shared/thread/reducer.ts';
import { emptyThread, type Item, type Thread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import type { MessageLine, StreamLine, ToolCallLine } from '../../../../src/shared/wire/streamLines.ts';
import { flat } from '../../../support/item.ts';

export const QUESTION = '1700000000000-message';
export const agent = ['svc_data_analyst_agent'];
export const tools = [...agent, 'tools'];
export const context = { branch: '', isDefaultBranch: true, identity: 'dev' };

export const sent = (text = 'revenue?', id = QUESTION): ThreadEvent => ({
  type: 'sent',
  id,
  text,
  images: [],
  context,
  time: 1,
});
export const line = (value: StreamLine, time = 2): ThreadEvent => ({ type: 'line', line: value, time });
export const marker = line({ kind: 'cutoff', isStreaming: true });
export const attached: ThreadEvent = { type: 'attached' };
export const finished: ThreadEvent = { type: 'finished' };

/** A delta of an assistant message. */
export const delta = (id: string, content: string, more: Partial<MessageLine> = {}): ThreadEvent =>
  line({
    kind: 'message',
    id,
    role: 'assistant',
    content,
    graphPath: agent,
    isDelta: true,
    isInProcess: true,
    ...more,
  });

/** A whole message, which replaces the accumulated deltas. */
export const whole = (id: string, content: string, more: Partial<MessageLine> = {}): ThreadEvent =>
  delta(id, content, { isDelta: false, isInProcess: false, ...more });

export const echo = (content = 'revenue?', more: Partial<MessageLine> = {}): ThreadEvent =>
  whole(QUESTION, content, { role: 'user', graphPath: [], ...more });

export const tool = (id: string, more: Partial<ToolCallLine> = {}): ThreadEvent =>
  line({
    kind: 'toolCall',
    id,
    role: 'assistant',
    content: '',
    graphPath: tools,
    isDelta: false,
    isInProcess: more.toolCall?.result === undefined,
    toolCall: { name: 'svcSqlApi', input: '{}' },
    ...more,
  });

export const threadOf = (...events: ThreadEvent[]): Thread => reduceAll(emptyThread('t'), events);
export const itemOf = (thread: Thread, id: string): Item | undefined => flat(thread).find((item) => item.id === id);
export const textOf = (thread: Thread, id = 'a'): string | undefined => itemOf(thread, id)?.content;
export const ids = (thread: Thread): string[] => flat(thread).map(({ id }) => id);
