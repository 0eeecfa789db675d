/** Holds the state of the comparison page and exchanges its messages with the host. */
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
import { onHostMessage, postRaw, saveState } from '../app/host.ts';
import type { Post } from '../app/post.ts';
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
/** Sequence number of the last rendered batch of events, by side. */
const drawnSeq = new Map<SideName, number>();
let draw: (state: CompareState) => void = () => undefined;

export const postCompare = (message: FromCompare): void => postRaw(message);

const postOf =
  (side: SideName): Post =>
  (message) =>
    postCompare({ type: 'side', side, message });

/** Post messages about the thread of a side. */
export const posts: Readonly<Record<SideName, Post>> = { left: postOf('left'), right: postOf('right') };

/** @param view renders a state; called at most once per frame */
export function start(view: (state: CompareState) => void): void {
  draw = view;
  onHostMessage((message) => {
    if (isToCompare(message)) receive(message);
  });
  // A hidden page gets no events but may be kept.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) begin();
  });
  begin();
}

/** Requests the complete state. */
function begin(): void {
  postCompare({ type: 'ready' });
  for (const side of SIDES) posts[side]({ type: 'ready' });
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
      if (next === 'gap') posts[side]({ type: 'needSnapshot' });
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
  for (const side of SIDES) postRendered(side, sides[side]?.seq);
});

function postRendered(side: SideName, seq: number | undefined): void {
  if (seq === undefined || drawnSeq.get(side) === seq) return;
  drawnSeq.set(side, seq);
  posts[side]({ type: 'drawn', seq });
}
