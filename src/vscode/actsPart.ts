/** What is done for users, in commands, views, chats and by tools: a part of its own, loaded when the first is done. */
export { commands } from './commands/index.ts';
export { restoreComparison } from './compare/open.ts';
export { carryOut } from './views/intents.ts';
export { participantFollowUps, participantHandler } from './native/participant.ts';
export { toolsOf } from './native/tools.ts';
export { restoreResults } from './results/tab.ts';
