/** The vocabulary of questions: members of the model, and values of dimensions. */
import type { Member, Model, View, ViewMember } from '../../semantic/model.ts';
import type { QueryEngine } from '../../semantic/query.ts';
import { normalize, stem } from './reader.ts';

/** A member in all views that include it, possibly under different names. */
export interface Concept {
  /** `cube.member`. */
  key: string;
  member: Member;
  /** The views that include it, and its name in each. */
  places: readonly { view: View; as: ViewMember }[];
}
/** A value of a dimension, such as the region "Europe". */
export interface KnownValue {
  concept: Concept;
  value: string;
}
export interface Phrase {
  words: readonly string[];
  concepts: Concept[];
  values: KnownValue[];
}

const MAX_VALUES = 120;

/** Synonyms of values, by value in lower case. */
const valueSynonyms: Readonly<Record<string, readonly string[]>> = {
  'united states': ['usa', 'us', 'u s', 'america', 'american', 'the states'],
  'united kingdom': ['uk', 'britain', 'great britain', 'british', 'england'],
  'asia pacific': ['apac', 'asia'],
  'latin america': ['latam', 'south america'],
  'north america': ['north american'],
  europe: ['european', 'eu'],
  germany: ['german'],
  france: ['french'],
  japan: ['japanese'],
  'small business': ['smb', 'small businesses'],
  'mobile app': ['mobile', 'app', 'in-app'],
  web: ['online', 'website', 'web shop'],
  store: ['in-store', 'retail store'],
  cancelled: ['canceled'],
  completed: ['complete', 'finished'],
  münchen: ['munich'],
  'são paulo': ['sao paulo'],
  montréal: ['montreal'],
  'ciudad de méxico': ['mexico city'],
};

export class Lexicon {
  readonly concepts: readonly Concept[];
  /** Phrases by the stems of their words, longest first. */
  readonly phrases: readonly Phrase[];

  constructor(concepts: readonly Concept[], values: readonly KnownValue[]) {
    this.concepts = concepts;
    const phrases = new Map<string, Phrase>();
    const phrase = (text: string): Phrase => {
      const words = normalize(text).split(' ').map(stem);
      const key = words.join(' ');
      const found = phrases.get(key) ?? { words, concepts: [], values: [] };
      phrases.set(key, found);
      return found;
    };
    for (const concept of concepts) {
      const { member } = concept;
      const aliases = concept.places.map(({ as }) => as.name.replaceAll('_', ' '));
      const names = new Set([
        member.title,
        ...ownedNames(concept),
        ...member.synonyms,
        ...(member.name === 'count' ? [] : [member.name.replaceAll('_', ' ')]),
        ...aliases,
      ]);
      for (const name of new Set([...names].map((text) => normalize(text).split(' ').map(stem).join(' '))))
        phrase(name).concepts.push(concept);
    }
    for (const known of values)
      for (const text of [known.value, ...(valueSynonyms[known.value.toLowerCase()] ?? [])])
        phrase(text).values.push(known);
    this.phrases = [...phrases.values()].sort((a, b) => b.words.length - a.words.length);
  }
}

/** The name of a dimension with its cube, such as "customer country", which counts as one phrase. */
function ownedNames({ member, places }: Concept): string[] {
  const owner = places[0]?.as.cube.title ?? '';
  if (member.kind !== 'dimension' || member.title.startsWith(stem(owner))) return [];
  return [`${owner} ${member.title}`];
}

function conceptsOf(model: Model): Concept[] {
  const concepts = new Map<string, Concept>();
  for (const view of model.views.values())
    for (const as of view.members.values()) {
      const key = `${as.cube.name}.${as.member.name}`;
      const before = concepts.get(key);
      concepts.set(key, { key, member: as.member, places: [...(before?.places ?? []), { view, as }] });
    }
  return [...concepts.values()];
}

async function valuesOf(concept: Concept, engine: QueryEngine): Promise<KnownValue[]> {
  const [place] = concept.places;
  if (concept.member.kind !== 'dimension' || concept.member.type !== 'string' || !place) return [];
  const { data } = await engine.run(
    `SELECT ${place.as.name} FROM ${place.view.name} GROUP BY 1 LIMIT ${MAX_VALUES + 1}`,
  );
  if (data.length > MAX_VALUES) return [];
  return data.flatMap(([value]) => (typeof value === 'string' ? [{ concept, value }] : []));
}

/** @param engine an engine without row filters: values are known even to users who can't see their rows */
export async function buildLexicon(model: Model, engine: QueryEngine): Promise<Lexicon> {
  const concepts = conceptsOf(model);
  const values: KnownValue[] = [];
  for (const concept of concepts) values.push(...(await valuesOf(concept, engine)));
  return new Lexicon(concepts, values);
}
