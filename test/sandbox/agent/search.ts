/** The tool `svcMeta` (2.6): finds the views and members that a question is about. */
import { valueType, type View } from '../semantic/model.ts';
import type { Lexicon } from './question/lexicon.ts';
import { findMentions } from './question/mentions.ts';
import { Reader } from './question/reader.ts';

export interface MetaMember {
  name: string;
  title: string;
  description: string;
  type: string;
  aggType?: string;
}
export interface MetaDefinition {
  name: string;
  type: 'view';
  title: string;
  members: MetaMember[];
}

/** @returns a view with its members as 2.6 describes them */
export function describeView(view: View, only?: ReadonlySet<string>): MetaDefinition {
  const members = [...view.members.values()].filter(({ name }) => only === undefined || only.has(name));
  return {
    name: view.name,
    type: 'view',
    title: view.title,
    members: members.map((as) => ({
      name: `${view.name}.${as.name}`,
      title: as.member.title,
      description: as.member.description,
      type: valueType(as),
      ...(as.member.kind === 'measure' ? { aggType: as.member.type } : {}),
    })),
  };
}

/** Maximum number of views in a search result. */
const MAX_VIEWS = 3;

/**
 * @param searchQuery words of the question
 * @param chosen the view that the answer will use; it is returned first, with all its members
 */
export function searchModel(searchQuery: string, lexicon: Lexicon, chosen?: View): MetaDefinition[] {
  const { found } = findMentions(new Reader(searchQuery).rest, lexicon);
  const hits = new Map<View, Set<string>>();
  for (const { concepts, values } of found)
    for (const { places } of [...concepts, ...values.map(({ concept }) => concept)])
      for (const { view, as } of places) hits.set(view, (hits.get(view) ?? new Set()).add(as.name));
  const others = [...hits].filter(([view]) => view !== chosen).sort(([, a], [, b]) => b.size - a.size);
  return [
    ...(chosen ? [describeView(chosen)] : []),
    ...others.slice(0, chosen ? MAX_VIEWS - 1 : MAX_VIEWS).map(([view, names]) => describeView(view, names)),
  ];
}
