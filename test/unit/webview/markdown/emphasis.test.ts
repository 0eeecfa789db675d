import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { completeMarkdown } from '../../../../webview/markdown/complete.ts';
import { newEnv, renderBlocks } from '../../../../webview/markdown/parser.ts';

const html = (text: string): string => renderBlocks(text, newEnv()).join('');

const answers: readonly [text: string, shown: string][] = [
  ['**注意：**收入下降。', '<strong>注意：</strong>收入下降。'],
  ['**売上（税込）**は増加した。', '<strong>売上（税込）</strong>は増加した。'],
  ['이번 달 **매출(세전)**은 증가', '이번 달 <strong>매출(세전)</strong>은 증가'],
  ['増加は**“12%”**、*前年*比。', '増加は<strong>“12%”</strong>、<em>前年</em>比。'],
  ['**Note:** fine, a**"b"**c', '<strong>Note:</strong> fine, a**&quot;b&quot;**c'],
];

describe('Emphasis beside Chinese, Japanese and Korean characters', () => {
  for (const [text, shown] of answers)
    it(`is rendered in ${text}, and shows no marker while it streams in`, () => {
      assert.equal(html(text).trim(), `<p>${shown}</p>`);
      const plain = (part: string): string =>
        html(part)
          .replace(/<[^>]*>/g, '')
          .trim();
      if (!shown.includes('**'))
        for (let end = 1; end < text.length; end += 1)
          assert.ok(plain(text).startsWith(plain(completeMarkdown(text.slice(0, end)))), text.slice(0, end));
    });
});
