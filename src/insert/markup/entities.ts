/** Entities of XML, HTML and JSX. */
import { special, type Decoder } from '../literals/decode.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
};
const CHARACTERS = new Map(Object.entries(ENTITIES).map(([character, entity]) => [entity, character]));

/** @returns the text escaped for an attribute in either kind of quotes */
export const toEntities = (text: string): string =>
  text.replace(/[&<>"'\n]/g, (character) => ENTITIES[character] ?? character);

/** @returns the text escaped for element content */
export const toMarkup = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);

export const FROM_ENTITIES: Decoder = [
  ['&(?:amp|lt|gt|quot|apos|#10);', (entity) => CHARACTERS.get(entity)],
  special('&#?\\w+;'),
];
