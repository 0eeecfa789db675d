/** What the page of a comparison shows, and the way its messages go. */
import {
  isToCompare,
  SIDES,
  type ChangedMember,
  type CompareHeads,
  type ComparedQuery,
  type FromCompare,
  type SideName,
  type ToCompare,
} from '../../src/shared/protocol/compare.ts';
import { assertNever } from '../../src/shared/protocol/chat.ts';
import { oncePerFrame } from '../app/frame.ts';
import { envelop, onHostMessage, postRaw, saveState } from '../app/host.ts';
import { advance, type Replica } from '../app/replica.ts';

export interface CompareState {
  heads: CompareHeads;
  sides: Readonly<Partial<Record<SideName, Replica>>>;
  queries: readonly ComparedQuery[];
  members: readonly ChangedMember[];
}

let heads: CompareHeads | undefined;
let sides: CompareState['sides'] = {};
let queries: readonly ComparedQuery[] = [];
let members: readonly ChangedMember[] = [];
/** The numbers of the events that were drawn last. */
const drawnSeq = new Map<SideName, number>();
let draw: (state: CompareState) => void = () => undefined;
/** Where the user was active last: what the components of a side post is meant for its thread. */
let active: SideName = 'left';

export const postCompare = (message: FromCompare): void => postRaw(message);

/** @param view draws a state; called at most once per frame */
export function start(view: (state: CompareState) => void): void {
  draw = view;
  envelop((message): FromCompare => ({ type: 'side', side: active, message }));
  for (const type of ['pointerdown', 'keydown', 'focusin', 'click'])
    document.addEventListener(type, ({ target }) => notice(target), { capture: true });
  onHostMessage((message) => {
    if (isToCompare(message)) receive(message);
  });
  // A page that was hidden may have missed events without being dropped.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) begin();
  });
  begin();
}

/** Asks for everything anew. */
function begin(): void {
  postCompare({ type: 'ready' });
  for (const side of SIDES) postCompare({ type: 'side', side, message: { type: 'ready' } });
}

function notice(target: EventTarget | null): void {
  const within = target instanceof Element ? target.closest<HTMLElement>('[data-side]')?.dataset.side : undefined;
  active = SIDES.find((side) => side === within) ?? active;
}

function receive(message: ToCompare): void {
  switch (message.type) {
    case 'heads':
      ({ heads } = message);
      saveState(message.remember);
      break;
    case 'compared':
      ({ queries, members } = message);
      break;
    case 'side': {
      const { side } = message;
      const next = advance(sides[side], message.message);
      if (next === 'gap') postCompare({ type: 'side', side, message: { type: 'needSnapshot' } });
      else sides = { ...sides, [side]: next };
      break;
    }
    default:
      assertNever(message);
  }
  redraw();
}

const redraw = oncePerFrame(() => {
  if (heads) draw({ heads, sides, queries, members });
  for (const side of SIDES) tellDrawn(side, sides[side]?.seq);
});

function tellDrawn(side: SideName, seq: number | undefined): void {
  if (seq === undefined || drawnSeq.get(side) === seq) return;
  drawnSeq.set(side, seq);
  postCompare({ type: 'side', side, message: { type: 'drawn', seq } });
}
