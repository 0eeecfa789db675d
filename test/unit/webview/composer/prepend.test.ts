import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { draftMessage, type Draft } from '../../../../src/shared/protocol/chat.ts';
import { MAX_IMAGES } from '../../../../src/shared/protocol/images.ts';
import { prepend } from '../../../../webview/composer/draft.ts';

const draft = (text: string, images = 0, name = 'image'): Draft => ({
  text,
  images: Array.from({ length: images }, (_, at) => ({ mimeType: 'image/png', data: `${name}-${at}` })),
});
const dataOf = ({ images }: Draft): string[] => images.map(({ data }) => data);

describe('a draft', () => {
  it('holds at most ten images, the attached ones included, and counts those left out', () => {
    const { draft: next, leftOut } = prepend(draft('look', 8), draft('', 5, 'new'));
    assert.deepEqual([next.images.length, leftOut], [MAX_IMAGES, 3]);
    assert.deepEqual(dataOf(next).slice(7), ['image-7', 'new-0', 'new-1']);
  });

  it('keeps all images up to the limit', () => {
    const { draft: next, leftOut } = prepend(draft('', 8), draft('', 2, 'new'));
    assert.deepEqual([next.images.length, leftOut], [MAX_IMAGES, 0]);
  });

  it('gets a returned message only once', () => {
    const returned = draft('revenue?', 1);
    const { draft: next } = prepend(prepend(draft(''), returned).draft, returned);
    assert.deepEqual(next, returned);
    const both = prepend(draft('revenue?\nby month', 1), draft('revenue?', 1, 'other')).draft;
    assert.deepEqual([both.text, dataOf(both)], ['revenue?\nby month', ['other-0', 'image-0']]);
  });

  it('gets each attachment once, and keeps its own text, attachments and draft aside', () => {
    const attached = (...names: string[]): Draft => ({
      ...draft('look'),
      // Two selections have the name of their file.
      attachments: names.map((name) => ({ kind: 'selection', name: 'orders.yml', text: `About ${name}:` })),
    });
    const held = { ...attached('a'), aside: draft('earlier') };
    const { draft: next } = prepend(prepend(held, { ...attached('b', 'a'), text: '' }).draft, {
      ...attached('b'),
      text: '',
    });
    assert.deepEqual(next, { ...held, ...attached('a', 'b') });
    assert.equal(draftMessage(next).text, 'About a:\nAbout b:\nlook');
  });
});
