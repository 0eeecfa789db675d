/** Callbacks and settings of a grid. */
import type { ResultFormat } from '../../src/shared/results/encode.ts';

/** Callbacks of a grid. */
export interface GridEvents {
  /** Called with the copied text, which the caller writes to the clipboard. */
  onCopy(format: ResultFormat, text: string): void;
  /** Called with a short announcement for screen readers. */
  onAnnounce?(text: string): void;
}

export interface CopySettings {
  /** Whether a plain copy includes the column names. */
  headers: boolean;
  /** Whether text that a spreadsheet would parse as a formula is prefixed with `'`. */
  guardFormulas: boolean;
}
