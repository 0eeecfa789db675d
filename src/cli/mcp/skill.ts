/** `analytics-chat skill`: prints the skill for coding agents. */
import { AGENT_SKILL } from '../../evals/report/agentSkill.ts';
import type { OfflineCommand } from '../command.ts';

export const skill: OfflineCommand = ({ output }) => {
  output.data(AGENT_SKILL);
  return Promise.resolve(0);
};
