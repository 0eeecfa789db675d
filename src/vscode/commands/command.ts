/** Implements a command with the services it uses. `argument` is the first argument of `executeCommand`, unchecked. */
export type Command<Services> = (services: Services, argument?: unknown) => unknown;
