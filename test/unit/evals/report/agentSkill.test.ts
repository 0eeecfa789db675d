import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { AGENT_SKILL } from '../../../../src/evals/report/agentSkill.ts';
import { VERDICT_STATUSES } from '../../../../src/shared/protocol/verdicts.ts';

describe('skill for coding agents', () => {
  it('has front matter that agents can read, and explains every verdict', () => {
    const [, head, body] = /^---\n([^]*?)\n---\n([^]*)$/.exec(AGENT_SKILL) ?? [];
    const { name, description, ...others } = parse(head ?? '') as Record<string, string>;
    assert.match(name ?? '', /^[a-z-]{1,64}$/);
    assert.ok(description && description.length <= 1024);
    assert.deepEqual(others, {});
    const explained = body!.match(/^\| (\w+)(?:, (\w+))? \| .+ \|$/gm)!.join();
    for (const verdict of VERDICT_STATUSES)
      if (verdict !== 'canceled') assert.match(explained, new RegExp(`\\b${verdict}\\b`));
  });
});
