/** Finds the members and values that a question mentions. */
import type { Concept, KnownValue, Lexicon, Phrase } from './lexicon.ts';
import { stem } from './reader.ts';

/** A phrase of the question that matches the lexicon. */
export interface Mention {
  concepts: readonly Concept[];
  values: readonly KnownValue[];
  /** The word before it. */
  before: string;
  /** Position in the question, in words. */
  at: number;
  /** Whether it follows "by", "per", "each" or the like, directly or in a list. */
  grouping: boolean;
}
export interface Mentions {
  found: Mention[];
  /** Words that match nothing, and whether they are in the position of a grouping. */
  unused: { word: string; grouping: boolean }[];
}

const groupingWords = new Set(['by', 'per', 'each', 'every', 'across', 'which', 'what', 'whose', 'among', 'between']);
const listWords = new Set(['and', ',', 'the', 'or', 'then']);

const idle = new Set(
  `a about after again all also am amount an and any are as at be been bring by can chart could data did display do does each every fetch find
  for from generate get gets give go got had has have how i in into is it its kind let like list look made make many me month most much my need number of on only or our out
  over overall per please plot pull report result results run see seen sell sells sold shall show shop so some store's table tell than that the their them then there these they this those to together total
  totals type up us use value values view want was we were what what's when where which who whose will with within without would you your across among between versus vs against compare compared comparison
  graph visualize visualise draw full complete different distinct really make makes made figures figure stats statistics numbers during where's company business just now time brings going performing higher lower
  customers' did do doing done come comes came happen happened happening placed place ordered bought buy purchased generated earned brought bring paid pay paying using via outside besides performed perform
  performance better had again same instead but not excluding except ones one per-cent , | vs. -`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

function matchAt(words: readonly string[], at: number, phrases: readonly Phrase[]): Phrase | undefined {
  return phrases.find((phrase) => phrase.words.every((word, index) => words[at + index] === word));
}

/** @param text the remaining words of a question, from `Reader.rest` */
export function findMentions(text: string, lexicon: Lexicon): Mentions {
  const raw = text.split(' ').filter((word) => word !== '');
  const words = raw.map((word) => stem(word.replace(/'s$/, '')));
  const mentions: Mentions = { found: [], unused: [] };
  let grouping = false;
  for (let at = 0; at < words.length;) {
    const word = raw[at] ?? '';
    const phrase = matchAt(words, at, lexicon.phrases);
    if (phrase) {
      mentions.found.push({
        concepts: phrase.concepts,
        values: phrase.values,
        before: raw[at - 1] ?? '',
        at,
        grouping,
      });
      at += phrase.words.length;
      continue;
    }
    if (groupingWords.has(word)) grouping = true;
    else if (!listWords.has(word)) {
      if (!idle.has(word) && !/^[\d.,]+$/.test(word)) mentions.unused.push({ word, grouping });
      grouping = false;
    }
    at += 1;
  }
  return mentions;
}
