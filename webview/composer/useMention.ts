/** Completes the path of a file behind an `@` that is typed at the start of a word; the chosen file is attached. */
import { useState } from 'preact/hooks';
import type { WorkspaceFile } from '../../src/shared/protocol/chat.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { post } from '../app/host.ts';
import { matchingFiles } from './matchingFiles.ts';
import type { SuggestionSource } from './Suggestions.tsx';

interface Mention extends SuggestionSource {
  /** Call for each input, with the new text and caret. */
  onInput(value: string, caret: number): void;
  /** Call with the files that the host has listed. */
  onFiles(files: readonly WorkspaceFile[]): void;
}

/** @param replace replaces the text and moves the caret */
export function useMention(text: string, replace: (text: string, caret: number) => void): Mention {
  /** Offsets of the `@` and of the caret. */
  const [span, setSpan] = useState<{ start: number; end: number }>();
  const [files, onFiles] = useState<readonly WorkspaceFile[]>([]);
  const typed = span ? text.slice(span.start, span.end) : '';
  const found = span && typed.startsWith('@') ? matchingFiles(files, typed.slice(1)) : [];
  return {
    name: t('Files'),
    query: typed,
    items: found.map(({ file, name, folder }) => ({
      label: name,
      description: folder,
      run: () => {
        if (!span) return;
        replace(text.slice(0, span.start) + text.slice(span.end), span.start);
        setSpan(undefined);
        post({ type: 'attachUris', uris: [file.uri] });
      },
    })),
    dismiss: () => setSpan(undefined),
    onInput: (value, caret) => {
      // One character more: text that is pasted is no mention.
      if (value.length === text.length + 1 && /(?:^|\s)@$/.test(value.slice(0, caret))) {
        setSpan({ start: caret - 1, end: caret });
        onFiles([]);
        post({ type: 'listFiles' });
      } else if (span) {
        const goesOn = value[span.start] === '@' && caret > span.start && !/\s/.test(value.slice(span.start, caret));
        setSpan(goesOn ? { ...span, end: caret } : undefined);
      }
    },
    onFiles,
  };
}
