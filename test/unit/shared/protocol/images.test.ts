import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MAX_IMAGE_BYTES, imageHeader, checkImages, imageProblem } from '../../../../src/shared/protocol/images.ts';

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const text = (characters: string): string => Buffer.from(characters, 'latin1').toString('hex');

/** The first bytes of a PNG. */
const png = (width: number, height: number): Uint8Array =>
  bytes(
    `89504e470d0a1a0a 0000000d ${text('IHDR')} ${[width, height].map((side) => side.toString(16).padStart(8, '0')).join('')} 0806000000`,
  );
const exif = `ffe1 0011 ${text('Exif')} 0000 ffc0 0011 08 0001 0001`;
const frame = (marker: string): string => `ff${marker} 0011 08 01e0 0280 03 012200 021101 031101`;
const webp = (chunk: string): Uint8Array => bytes(`${text('RIFF')} 24000000 ${text('WEBP')} ${chunk} 00000000`);

describe('The header of an image', () => {
  const read: [string, Uint8Array, string][] = [
    ['PNG', png(640, 480), 'image/png 640 × 480'],
    ['GIF 87a', bytes(`${text('GIF87a')} 8002 e001 f700 00`), 'image/gif 640 × 480'],
    ['GIF 89a', bytes(`${text('GIF89a')} 8002 e001 f700 00`), 'image/gif 640 × 480'],
    ['baseline JPEG', bytes(`ffd8 ffe0 0010 4a46494600010100000100010000 ${frame('c0')}`), 'image/jpeg 640 × 480'],
    ['progressive JPEG', bytes(`ffd8 ffdb 0003 00 ${frame('c2')}`), 'image/jpeg 640 × 480'],
    ['JPEG with Huffman tables first', bytes(`ffd8 ffc4 0004 0000 ${frame('c0')}`), 'image/jpeg 640 × 480'],
    ['JPEG with a preview in its EXIF data', bytes(`ffd8 ${exif} ${frame('c0')}`), 'image/jpeg 640 × 480'],
    ['JPEG with a fill byte', bytes(`ffd8 ff ${frame('c0')}`), 'image/jpeg 640 × 480'],
    ['JPEG with two fill bytes', bytes(`ffd8 ffff ${frame('c0')}`), 'image/jpeg 640 × 480'],
    ['lossy WebP', webp(`${text('VP8 ')} 18000000 300100 9d012a 8002 e001`), 'image/webp 640 × 480'],
    ['lossless WebP', webp(`${text('VP8L')} 18000000 2f 7fc27700 00`), 'image/webp 640 × 480'],
    ['extended WebP', webp(`${text('VP8X')} 0a000000 10000000 7f0200 df0100`), 'image/webp 640 × 480'],
  ];
  for (const [what, file, expected] of read)
    it(`contains the format and the dimensions: ${what}`, () => {
      const { mimeType, width, height } = imageHeader(file) ?? assert.fail();
      assert.equal(`${mimeType} ${width} × ${height}`, expected);
    });

  it('is not found in other files, or in truncated ones', () => {
    for (const file of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7', 'BM', 'RIFF\0\0\0\0WAVEfmt '])
      assert.equal(imageHeader(new TextEncoder().encode(file)), undefined, file);
    for (const empty of [png(0, 480), png(480, 0)]) assert.equal(imageHeader(empty), undefined);
    for (const [what, file] of read)
      for (let length = 0; length < file.length; length += 1) {
        const header = imageHeader(file.subarray(0, length));
        if (header) assert.equal(`${header.width} × ${header.height}`, '640 × 480', `${what}, ${length} bytes`);
      }
  });
});

describe('The signature of an image', () => {
  const to = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const riff = [...to(0, 3), ...to(8, 15)];
  const signatures: [what: string, file: Uint8Array, length: number, signature: number[]][] = [
    ['PNG', png(640, 480), 24, [...to(0, 7), ...to(12, 15)]],
    ['GIF', bytes(`${text('GIF89a')} 8002 e001 f700 00`), 10, to(0, 5)],
    ['JPEG', bytes(`ffd8 ffdb 0003 00 ${frame('c0')}`), 16, [0, 1, 2, 7]],
    ['lossy WebP', webp(`${text('VP8 ')} 18000000 300100 9d012a 8002 e001`), 30, [...riff, 23, 24, 25]],
    ['lossless WebP', webp(`${text('VP8L')} 18000000 2f 7fc27700 00`), 30, [...riff, 20]],
    ['extended WebP', webp(`${text('VP8X')} 0a000000 10000000 7f0200 df0100`), 30, riff],
  ];
  for (const [what, file, length, signature] of signatures)
    it(`counts with each of its bytes, before a complete header: ${what}`, () => {
      assert.equal(imageHeader(file.subarray(0, length))?.width, 640);
      assert.equal(imageHeader(file.subarray(0, length - 1)), undefined);
      for (const at of signature) assert.equal(imageHeader(file.with(at, file[at]! ^ 1)), undefined, `byte ${at}`);
    });

  it('is followed by one of the thirteen kinds of frames in a JPEG', () => {
    const isFound = (marker: number) => imageHeader(bytes(`ffd8 ${frame(marker.toString(16))}`)) !== undefined;
    assert.deepEqual(
      to(0xb0, 0xef).filter(isFound),
      to(0xc0, 0xcf).filter((marker) => ![0xc4, 0xc8, 0xcc].includes(marker)),
    );
  });
});

describe('An image', () => {
  const problems: [string, string, Uint8Array, RegExp | undefined][] = [
    ['a PNG', 'image/png', png(640, 480), undefined],
    ['a PNG of 50 megapixels', 'image/png', png(10_000, 5000), undefined],
    ['a PNG of more', 'image/png', png(10_001, 5000), /“a” has 10001 × 5000 pixels; the limit is 50 mega.* Resize it/],
    ['a pixel bomb', 'image/png', png(0x7fffffff, 0x7fffffff), /Resize it/],
    [
      'a GIF that claims to be a PNG',
      'image/png',
      bytes(`${text('GIF89a')} 8002 e001`),
      /“a” has the type PNG but contains GIF. Rename it/,
    ],
    ['a PNG that claims to be a WebP', 'image/webp', png(1, 1), /type WebP but contains PNG/],
    ['HTML that claims to be a PNG', 'image/png', new TextEncoder().encode('<html>'), /Convert it/],
    ['SVG', 'image/svg+xml', new TextEncoder().encode('<svg/>'), /Convert it/],
    ['a PNG that claims to be SVG', 'image/svg+xml', png(1, 1), /Convert it/],
    ['5 MB', 'image/png', Buffer.concat([png(1, 1)], MAX_IMAGE_BYTES), undefined],
    [
      'more than 5 MB',
      'image/png',
      Buffer.concat([png(1, 1)], MAX_IMAGE_BYTES + 1),
      /“a” is larger than 5 MB. Use a smaller image/,
    ],
  ];
  for (const [what, mimeType, file, expected] of problems)
    it(`${expected ? 'is rejected with advice' : 'is accepted'}: ${what}`, () => {
      const data = Buffer.from(file).toString('base64');
      const { problems: found, images } = checkImages([{ mimeType, data, name: 'a' }]);
      for (const problem of [imageProblem({ name: 'a', mimeType, size: file.length }, file), found[0]])
        if (expected) assert.match(problem ?? '', expected);
        else assert.equal(problem, undefined);
      assert.equal(images.length, expected ? 0 : 1);
    });

  it('that is not base64 is rejected, without affecting others', () => {
    const good = { mimeType: 'image/png', data: Buffer.from(png(1, 1)).toString('base64') };
    const { images, problems: found } = checkImages([good, { ...good, data: '%%%' }, good]);
    assert.deepEqual(images, [good, good]);
    assert.equal(found.length, 1);
    assert.match(found[0]!, /“Attached image” is not a PNG/);
  });

  it('beyond the limit of ten per message is rejected', () => {
    const good = { mimeType: 'image/png', data: Buffer.from(png(1, 1)).toString('base64') };
    const ten = Array.from({ length: 10 }, () => good);
    assert.deepEqual(checkImages(ten), { images: ten, problems: [] });
    const { images, problems: found } = checkImages([...ten, good]);
    assert.equal(images.length, 10);
    assert.match(found.join(), /10 images\. Send the others/);
  });
});
