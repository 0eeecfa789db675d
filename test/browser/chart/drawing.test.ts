import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { drawableSpecs, sales } from '../../fixtures/chart/drawable.ts';
import { openSite, type ChartSite } from './site.ts';

describe('every chart type', () => {
  let site: ChartSite;
  before(async () => {
    site = await openSite();
  });
  after(() => site.close());

  it('is drawn in a page whose policy blocks code from text', async () => {
    assert.equal(await site.page.evaluate(() => window.chartPage.evalBlocked), true);
  });

  for (const { name, spec, marks } of drawableSpecs) {
    it(`draws: ${name}`, async () => {
      const drawn = await site.draw({ spec: JSON.stringify(spec), table: sales, title: name }, true);
      assert.equal(drawn.problem, undefined);
      const [kind, least] = marks;
      const count = await site.countMarks(kind);
      assert.ok(count >= least, `${count} of ${least} ${kind} marks`);
      await site.clear();
    });
  }

  it('is drawn without policy violations or requests', async () => {
    assert.deepEqual(await site.violations(), []);
    assert.deepEqual(site.requests, []);
  });
});
