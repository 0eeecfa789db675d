/** A local service and the lines of its answers, for tests of the extension that ask. */
import { ndjson, reply, type Asked } from '../api/support/service.ts';
import { cutoff, echo, final, state } from '../chat/support/answers.ts';
import { open, type Opening } from '../chat/support/sessions.ts';
import { EventEmitter } from '../../support/editorValues.ts';
import { pairs } from './pairs.ts';

export * from '../api/support/service.ts';
export { answer, cutoff, delta, echo, final, state } from '../chat/support/answers.ts';
export { connectionTo, context, message, open } from '../chat/support/sessions.ts';

export const isAbort = ({ path }: Asked): boolean => path.endsWith('/abort');

/** @returns what answers each question with these lines between its first and its last ones */
export const answering =
  (...lines: object[]) =>
  (asked: Asked): void =>
    reply(asked, cutoff(), echo(asked), ...lines, state);

/** @returns what begins each answer with these lines; it ends only if it is stopped */
export const beginning =
  (...lines: object[]) =>
  (asked: Asked): unknown =>
    isAbort(asked)
      ? asked.response.writeHead(204).end()
      : asked.response.write(ndjson(cutoff(), echo(asked), ...lines));

/** The line of a query with this result. */
export const queryLine = (id: string, sort: number, result: object): object => ({
  ...final('', sort, id),
  toolCall: { name: 'svcSqlApi', input: '{}', result: JSON.stringify(result) },
});

/** A chat that asks a local service, and the stub of `sessions` in which it is each new chat. */
export function chatOn(opening: Opening) {
  const changed = new EventEmitter<object>();
  const { session } = open({ ...opening, onEvents: (events) => changed.fire({ session, events }) });
  return { session, sessions: { all: [pairs().second, session], add: () => session, onDidChange: changed.event } };
}
