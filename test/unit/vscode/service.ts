/** A local service and the lines of its answers, for tests of the extension that ask. */
export * from '../api/support/service.ts';
export { answer, cutoff, delta, echo, final, state } from '../chat/support/answers.ts';
export { connectionTo, context, message, open } from '../chat/support/sessions.ts';
