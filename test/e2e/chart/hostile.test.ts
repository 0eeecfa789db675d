import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { hostileSpecs, hostileTable } from '../../fixtures/chart/hostile.ts';
import { openSite, type ChartSite } from './site.ts';

describe('hostile charts', function () {
  this.timeout(60_000);
  let site: ChartSite;
  before(async () => {
    site = await openSite();
  });
  after(() => site.close());

  it('are drawn harmlessly or given up with a reason, and the page lives on', async () => {
    assert.ok(hostileSpecs.length > 100);
    for (const { name, spec, refused } of hostileSpecs) {
      const drawn = await site.draw({ spec, table: hostileTable, title: name });
      if (refused) assert.ok(drawn.problem, `${name} was drawn`);
      assert.notEqual(drawn.problem, '', name);
      assert.equal(await site.page.evaluate(() => 'hacked' in window), false, `${name} ran code`);
    }
  });

  it('made no request and broke no policy', async () => {
    assert.deepEqual(site.requests, []);
    assert.deepEqual(await site.violations(), []);
    assert.match(site.page.url(), /^http:\/\/127\.0\.0\.1:\d+\/$/);
  });

  it('hear no key that is pressed outside them', async () => {
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

  /** A chart that is tried out without harm, for what it asks for comes when `when` is true. */
  const late = (when: string, harm: string): string =>
    JSON.stringify({
      mark: { type: 'bar', color: { expr: 'late ? "red" : "blue"' } },
      params: [
        { name: 'hover', select: { type: 'point', on: 'pointerover' } },
        { name: 'late', expr: `${when} ? ${harm} : 0` },
      ],
      encoding: { x: { field: 'category', type: 'nominal' }, y: { field: 'amount', type: 'quantitative' } },
    });
  const said = (words: string) =>
    site.page.waitForFunction((text) => window.chartPage.notices.some((one) => one.includes(text)), words);
  const times = (count: number, part: string): string => `[${Array(count).fill(part).join(',')}]`;

  for (const [name, harm, words] of [
    ['numbers', 'length(sequence(1e9))', '1,000,000,000'],
    ['a pattern', "test('a*a*b', pad('', 9000, 'a'))", 'text pattern'],
    ['a pattern that looks back', "test(/(a*)\\1b/, pad('', 9000, 'a'))", 'text pattern'],
    ['many patterns', times(4_000, "test('a*a*b', pad('', 300, 'a'))"), 'takes too long'],
    ['a long text', "upper(join(sequence(9999), pad('', 9999, 'x')))", 'more than is drawn'],
    [
      'a text in the place of each letter',
      "replace(pad('', 9999, 'a'), /a/g, pad('', 9999, 'b'))",
      'more than is drawn',
    ],
    ['lists of lists as text', `'' + ${times(30, 'sequence(9999)')}`, 'more than is drawn'],
  ] as const) {
    it(`cannot put off their harm until somebody points at them: ${name}`, async () => {
      await site.draw({ spec: late("length(data('hover_store')) > 0", harm), table: hostileTable, title: '' }, true);
      const bar = await site.page.locator('.mark-rect path').first().boundingBox();
      assert.ok(bar);
      await site.page.mouse.move(bar.x + bar.width / 2, bar.y + bar.height / 2);
      await said(words);
      await site.page.mouse.move(1, 1);
      await site.clear();
    });
  }

  it('cannot put off their harm until they are made narrower', async () => {
    const harm = "test('a*a*b', pad('', 9000, 'a'))";
    await site.draw({ spec: late('width < 300', harm), table: hostileTable, title: '' }, true);
    await site.page.setViewportSize({ width: 300, height: 900 });
    await said('text pattern');
    await site.page.setViewportSize({ width: 720, height: 900 });
    await site.clear();
  });

  it('cannot put off their harm until a tooltip is wanted', async () => {
    const tooltip = { expr: `{"a": ${times(4_000, "test('a*a*b', pad('', 300, 'a'))")}}` };
    const encoding = { x: { field: 'category', type: 'nominal' }, y: { field: 'amount', type: 'quantitative' } };
    const spec = JSON.stringify({ mark: { type: 'bar', tooltip }, encoding });
    await site.draw({ spec, table: hostileTable, title: '' }, true);
    await site.page.locator('.mark-rect path').first().hover();
    await said('takes too long');
    await site.clear();
  });
});
