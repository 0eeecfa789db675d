/** What a grid and its surroundings agree upon. */
import type { ResultFormat } from '../../src/shared/results/encode.ts';

/** What the grid tells its surroundings. */
export interface GridEvents {
  /** The text that the user copied, to be put on the clipboard. */
  onCopy(format: ResultFormat, text: string): void;
  /** A change worth saying to a screen reader, in a few words. */
  onAnnounce?(text: string): void;
}

export interface CopySettings {
  /** Whether a plain copy has the column names first. */
  headers: boolean;
  /** Whether text that a spreadsheet would take for a formula gets a leading `'`. */
  guardFormulas: boolean;
}
