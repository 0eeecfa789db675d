/** Sample contents of conversations. */

/** A picture of one pixel, as base64 and as a file. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const pixel = { name: 'pixel.png', type: 'image/png', bytes: [...Buffer.from(PIXEL, 'base64')] };

/** The paragraphs of an answer that is longer than any view. */
export const LONG = Array.from({ length: 60 }, (_, index) => `Paragraph ${index + 1} of a long answer.`);
