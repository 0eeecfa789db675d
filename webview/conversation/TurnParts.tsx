/** The parts of a turn besides its question and its result cards. */
import { Icon } from '../ui/Icon.tsx';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { typeColumns } from '../../src/shared/results/cells.ts';
import type { ResultFormat } from '../../src/shared/results/encode.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { markdownTables } from '../../src/shared/text/markdownTables.ts';
import type { Item, Reconnecting } from '../../src/shared/thread/model.ts';
import { payloadOf, textTableId } from '../../src/shared/thread/turns.ts';
import { tokenCount, type Usage } from '../../src/shared/wire/streamLines.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { usePost } from '../app/post.ts';
import { createMarkdown, type MarkdownHandle } from '../markdown/createMarkdown.ts';
import { openButtonMenu, type MenuItem } from '../menu/menu.ts';
import { IconButton } from '../ui/Button.tsx';
import '../markdown/markdown.css';

interface ProseProps {
  text: string;
  /** Whether the text is complete. */
  settled: boolean;
  quiet?: boolean;
  /** Key of the searchable text, written to `data-part`. */
  part: string;
}

/** Markdown of the service, rendered while it streams. */
export const Prose = ({ text, settled, quiet = false, part }: ProseProps) => {
  const post = usePost();
  const container = useRef<HTMLDivElement>(null);
  const markdown = useRef<MarkdownHandle | undefined>(undefined);
  useLayoutEffect(() => {
    if (!container.current) return undefined;
    const created = createMarkdown(container.current, { onLink: (href) => post({ type: 'openLink', href }) });
    markdown.current = created;
    return () => created.dispose();
  }, [post]);
  useLayoutEffect(() => markdown.current?.update(text, settled), [text, settled]);
  // The inner element belongs to the Markdown renderer.
  return (
    <div class={`prose${quiet ? ' quiet-prose' : ''}${settled ? '' : ' growing'}`} data-part={part}>
      <div ref={container} />
    </div>
  );
};

interface ProgressProps {
  reconnecting: Reconnecting | undefined;
  /** Whether a part of the answer is already shown. */
  begun: boolean;
}

/** Progress of an unfinished answer: working, reconnecting, or waiting to reconnect. */
export const Progress = ({ reconnecting, begun }: ProgressProps) =>
  reconnecting !== undefined ? (
    <p class="progress">
      <Icon icon="sync" />{' '}
      {reconnecting.until === undefined ? t('Reconnecting…') : <Pause until={reconnecting.until} />}
    </p>
  ) : begun ? null : (
    <p class="progress">
      <span class="working-caret" aria-hidden="true" /> {t('Working…')}
    </p>
  );

/** Counts down the seconds until the next attempt. */
const Pause = ({ until }: { until: number }) => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1000);
  const post = usePost();
  if (seconds <= 0) return <>{t('Reconnecting…')}</>;
  return (
    <>
      <span>
        {plural(
          seconds,
          'The service asked to wait. Retrying in {0} second…|The service asked to wait. Retrying in {0} seconds…',
        )}
      </span>
      <button type="button" class="action" onClick={() => post({ type: 'retryNow' })}>
        {t('Retry now')}
      </button>
    </>
  );
};

/** Card of a tool that the extension does not know: its name, input and result, unformatted. */
export const UnknownTool = ({ item }: { item: Item }) => {
  const payload = payloadOf(item);
  if (payload?.kind !== 'unknownTool') return null;
  return (
    <div class="card" role="group" aria-label={t('Tool: {0}', payload.name)}>
      <div class="card-head">
        <Icon icon="tools" />
        <span class="card-title">{payload.name}</span>
      </div>
      {payload.error === undefined ? null : <p class="tool-error">{payload.error}</p>}
      <details class="tool-details">
        <summary>{payload.result === undefined ? t('Input') : t('Input and result')}</summary>
        <Raw name={t('Input')} text={payload.input} />
        {payload.result === undefined ? null : <Raw name={t('Result')} text={payload.result} />}
      </details>
    </div>
  );
};

const Raw = ({ name, text }: { name: string; text: string }) => (
  <>
    <p class="raw-name">{name}</p>
    <pre class="raw">{text}</pre>
  </>
);

/** The number of tokens of an answer, with the cached ones and the others in its tooltip. */
export const TokenUsage = ({ usage }: { usage: Usage }) => {
  const tokens = tokenCount(usage);
  if (tokens === undefined) return null;
  const kinds = [
    [t('Input'), usage.inputTokens],
    [t('Output'), usage.outputTokens],
    [t('Read from the cache'), usage.cacheReadTokens],
    [t('Written to the cache'), usage.cacheWriteTokens],
  ] as const;
  const lines = kinds.flatMap(([name, count]) => (count === undefined ? [] : `${name}: ${count.toLocaleString()}`));
  return (
    <span class="usage" title={lines.join('\n')}>
      {plural(tokens, '{0} token|{0} tokens')}
    </span>
  );
};

/** A menu that copies the tables in an answer, or opens them as results. */
export const TableActions = ({ answer, guardFormulas }: { answer: Item; guardFormulas: boolean }) => {
  const post = usePost();
  const tables = useMemo(() => markdownTables(answer.content), [answer.content]);
  if (tables.length === 0) return null;
  const itemsOf = ({ columns, rows }: ResultTable, index: number): MenuItem[] => {
    const copy = (format: ResultFormat) => async (): Promise<void> => {
      const { encodeRows } = await import('../../src/shared/results/encode.ts');
      const text = encodeRows(format, typeColumns(columns, rows), rows, { headers: true, guardFormulas });
      post({ type: 'copy', text });
    };
    const items: MenuItem[] = [
      { label: t('Copy as TSV'), run: copy('tsv') },
      { label: t('Copy as CSV'), run: copy('csv') },
      { label: t('Open results'), run: () => post({ type: 'openResults', toolCallId: textTableId(answer, index) }) },
    ];
    return tables.length === 1
      ? items
      : items.map((item) => ({ ...item, label: t('Table {0}: {1}', index + 1, item.label) }));
  };
  return (
    <IconButton
      icon="table"
      name={t('Table actions')}
      hasMenu
      onClick={({ currentTarget }) => openButtonMenu(currentTarget, t('Table actions'), tables.flatMap(itemsOf))}
    />
  );
};
