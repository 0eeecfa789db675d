import assert from 'node:assert/strict';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import type { Lexicon } from '../../sandbox/agent/question/lexicon.ts';
import { planQuery, PlanError } from '../../sandbox/agent/plan.ts';
import { understand } from '../../sandbox/agent/question/understand.ts';
import type { QueryEngine } from '../../sandbox/semantic/query.ts';
import { useWarehouse } from '../../sandbox/service/warehouse.ts';
import { runs } from '../../support/runs.ts';
import { anyText } from '../../support/text.ts';

const words = (
  'revenue orders customers products returns by month and in 2024 2023 vs against last quarter since march top 5 Europe Germany ' +
  'region category not or share of growth cumulative more than 100 between q1 q2 the best worst each per weekday hour with without pie chart'
).split(' ');

describe('sandbox: understanding', () => {
  let engine: QueryEngine;
  let release: () => void;
  let lexicon: Lexicon;
  before(async () => {
    const warehouse = await useWarehouse();
    release = warehouse.release;
    const branch = warehouse.branches.find('main', true) ?? assert.fail();
    engine = branch.engine([]);
    lexicon = await branch.lexicon();
  });
  after(() => release());

  it('creates a valid query from any combination of words, or gives a reason', async () => {
    const questions = runs(30, 1000);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 }), async (chosen) => {
        const understanding = understand(chosen.join(' '), lexicon);
        if (understanding.kind !== 'query') return;
        try {
          await engine.run(planQuery(understanding.intent).sql);
        } catch (error) {
          if (!(error instanceof PlanError)) throw error;
        }
      }),
      { numRuns: questions, seed: 20_250_214 },
    );
  });

  it('survives any text, including long ones', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (text) => {
        assert.ok(understand(text, lexicon).kind);
      }),
    );
    for (const piece of ['in 2024 and ', 'revenue by ', 'from may to ', '((((', 'more than 5 ', 'last last '])
      assert.ok(understand(piece.repeat(500), lexicon).kind);
  });
});
