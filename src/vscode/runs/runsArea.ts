/** Questions that are asked in several contexts: on branches, as identities, with the answers side by side. */
import type { CommandHandlers, SlashHandlers } from '../host/area.ts';
import { promptFrom } from '../host/chatView.ts';
import { askAsEveryone, type AskAsEveryoneServices } from './askAsEveryone.ts';
import { compareAnswers } from './compareAnswers.ts';
import { compareBranches } from './compareBranches.ts';

export const registerRuns = (services: AskAsEveryoneServices) => ({
  commands: {
    'analyticsChat.compareBranches': (argument) => compareBranches(services, argument),
    'analyticsChat.askAsEveryone': (argument) => askAsEveryone(services, argument),
    'analyticsChat.compareAnswers': (argument) => compareAnswers(services, argument),
  } satisfies CommandHandlers,
  slash: { compare: (view) => promptFrom(view, () => compareBranches(services)) } satisfies Partial<SlashHandlers>,
});
