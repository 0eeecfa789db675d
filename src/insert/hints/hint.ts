/** Parameters for writing a hint into a model file. */
import type { InsertOptions, SourceDocument } from '../types.ts';

export type HintKey = 'description' | 'ai_context';

export interface HintRequest {
  /** A model file; the grammar of a program must have been loaded. */
  document: SourceDocument;
  /** Offset of the member's definition: its first key in YAML, its opening brace in flow style and in programs. */
  at: number;
  key: HintKey;
  /** One line of text, which replaces the previous hint. */
  hint: string;
  options: Pick<InsertOptions, 'tabSize' | 'insertSpaces' | 'eol'>;
}

export interface HintWriting extends Omit<HintRequest, 'key'> {
  path: readonly string[];
}
