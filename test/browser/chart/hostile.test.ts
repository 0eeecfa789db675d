import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { hostileSpecs, hostileTable } from '../../fixtures/chart/hostile.ts';
import { openSite, type ChartSite } from './site.ts';

describe('a hostile chart', () => {
  let site: ChartSite;
  before(async () => {
    site = await openSite();
  });
  after(() => site.close());

  it('is drawn harmlessly or rejected with a reason, and the page keeps working', async () => {
    assert.ok(hostileSpecs.length > 100);
    for (const { name, spec, refused } of hostileSpecs) {
      const drawn = await site.draw({ spec, table: hostileTable, title: name });
      if (refused) assert.ok(drawn.problem, `${name} was drawn`);
      assert.notEqual(drawn.problem, '', name);
      assert.equal(await site.page.evaluate(() => 'hacked' in window), false, `${name} ran code`);
    }
  });

  it('makes no request and violates no policy', async () => {
    assert.deepEqual(site.requests, []);
    assert.deepEqual(await site.violations(), []);
    assert.match(site.page.url(), /^http:\/\/127\.0\.0\.1:\d+\/$/);
  });

  it('receives no keys that are pressed outside it', async () => {
    const listening = {
      mark: 'bar',
      encoding: { x: { field: 'category' }, y: { field: 'amount', type: 'quantitative' } },
      params: [
        { name: 'p', select: { type: 'point', on: 'window:keydown' } },
        { name: 'q', select: { type: 'point', on: 'body:keydown' } },
      ],
    };
    await site.page.evaluate(() => {
      const heard: string[] = [];
      const original = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (type: string, ...rest: [never]) {
        if (this === window || this === document.body) heard.push(type);
        return original.call(this, type, ...rest);
      };
      Object.assign(window, { heard });
    });
    await site.draw({ spec: JSON.stringify(listening), table: hostileTable, title: '' }, true);
    const heard = await site.page.evaluate(() => (window as unknown as { heard: string[] }).heard);
    assert.deepEqual(
      heard.filter((type) => type.startsWith('key')),
      [],
    );
    await site.clear();
  });
});
