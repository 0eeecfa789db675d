/** Selects the view for a question. */
import type { View, ViewMember } from '../semantic/model.ts';
import type { Intent } from './question/intent.ts';
import type { Concept } from './question/lexicon.ts';

/** Thrown if no view has all requested members; the message names them. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}

export const placeIn = (concept: Concept, view: View): ViewMember | undefined =>
  concept.places.find((place) => place.view === view)?.as;

/** The time dimension for a view: the requested one, or else the first of the view. */
export function timeOf(view: View, intent: Intent): ViewMember | undefined {
  const asked = intent.timeMember && placeIn(intent.timeMember, view);
  const isTime = ({ member }: ViewMember): boolean => member.kind === 'dimension' && member.type === 'time';
  return asked ?? [...view.members.values()].find(isTime);
}

function conceptsIn(intent: Intent): Concept[] {
  const { measures, dimensions, filters, bounds, timeMember } = intent;
  const filtered = [...filters, ...bounds].map(({ concept }) => concept);
  return [...measures, ...dimensions, ...filtered, ...(timeMember ? [timeMember] : [])];
}

/**
 * @returns a view with all requested members, preferably one whose rows are those of the first measure's cube
 * @throws PlanError if there is none
 */
export function chooseView(intent: Intent): View {
  const concepts = conceptsIn(intent);
  const needsTime = intent.range !== undefined || intent.grain !== undefined || intent.part !== undefined;
  const candidates = (concepts[0]?.places ?? [])
    .map(({ view }) => view)
    .filter((view) => concepts.every((concept) => placeIn(concept, view)))
    .filter((view) => !needsTime || timeOf(view, intent));
  const root = concepts[0]?.key.split('.')[0];
  const best =
    candidates.find((view) => view.root.name === root) ??
    candidates.find(({ name }) => name === 'sales') ??
    candidates[0];
  if (best) return best;
  const [first, ...others] = concepts.map(({ member }) => `“${member.title}”`);
  const together = others.length > 0 ? `${first} cannot be combined with ${others.join(', ')}` : `${first} has no date`;
  throw new PlanError(`${together} in one view of the data model.`);
}
