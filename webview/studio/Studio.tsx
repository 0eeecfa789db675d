/** The chart studio: common changes to a chart, each applied at once. */
import { useMemo } from 'preact/hooks';
import { isFields, type Fields } from '../../src/shared/text/checks.ts';
import {
  readStudio,
  setField,
  setLogarithmic,
  setMark,
  setTop,
  studioMarks,
  swapAxes,
  type StudioChannel,
  type StudioMark,
  type StudioState,
} from './edit.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { usePost } from '../app/post.ts';
import './studio.css';

const COUNTS = [5, 10, 20, 50, 100];

interface StudioProps {
  toolCallId: string;
  /** JSON text of the Vega-Lite specification. */
  spec: string;
  table: ResultTable;
  /** Whether the chart differs from the service's original. */
  changed: boolean;
  onClose: () => void;
}

export const Studio = ({ toolCallId, spec, table, changed, onClose }: StudioProps) => {
  const post = usePost();
  const fields = useMemo(() => parse(spec), [spec]);
  const state = fields && readStudio(fields, table);
  const change = (next: Fields): void => post({ type: 'changeChart', toolCallId, spec: JSON.stringify(next) });
  return (
    <div
      class="studio"
      role="group"
      aria-label={t('Change chart')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {fields && state ? (
        <Choices spec={fields} state={state} table={table} onChange={change} />
      ) : (
        <p class="quiet">{t('A chart with more than one view can be changed only as text.')}</p>
      )}
      <div class="studio-actions">
        <button type="button" class="action" onClick={onClose}>
          {t('Done')}
        </button>
        <button type="button" class="action" onClick={() => post({ type: 'openChartSpec', toolCallId })}>
          {t('Open in editor')}
        </button>
        {changed ? (
          <button type="button" class="action" onClick={() => post({ type: 'changeChart', toolCallId, spec: '' })}>
            {t('Original chart')}
          </button>
        ) : null}
      </div>
    </div>
  );
};

function parse(spec: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(spec);
    return isFields(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

interface ChoicesProps {
  spec: Fields;
  state: StudioState;
  table: ResultTable;
  onChange: (spec: Fields) => void;
}

const Choices = ({ spec, state, table, onChange }: ChoicesProps) => {
  const { mark, logarithmic, top } = state;
  const isPie = mark === 'arc';
  const field = (channel: StudioChannel, label: string) => (
    <Choice
      label={label}
      value={state[channel] ?? ''}
      options={[{ value: '', label: t('None') }, ...table.columns.map(({ name }) => ({ value: name, label: name }))]}
      onChange={(name) =>
        onChange(
          setField(
            spec,
            channel,
            table.columns.find((column) => column.name === name),
            table,
          ),
        )
      }
    />
  );
  return (
    <div class="studio-choices">
      <Choice
        label={t('Chart type')}
        value={mark}
        options={marks(mark)}
        onChange={(chosen) => onChange(setMark(spec, chosen as StudioMark))}
      />
      {field('x', isPie ? t('Slices') : t('X axis'))}
      {field('y', isPie ? t('Size') : t('Y axis'))}
      {isPie ? null : field('color', t('Color by'))}
      <Choice
        label={t('Show')}
        value={top === undefined ? '' : String(top)}
        options={[
          { value: '', label: t('All rows') },
          ...counts(top).map((count) => ({ value: String(count), label: t('Top {0}', count) })),
        ]}
        onChange={(count) => onChange(setTop(spec, count === '' ? undefined : Number(count)))}
      />
      {isPie ? null : (
        <div class="studio-row">
          <label class="studio-check">
            <input
              type="checkbox"
              checked={logarithmic}
              onChange={({ currentTarget }) => onChange(setLogarithmic(spec, currentTarget.checked))}
            />
            {t('Log scale')}
          </label>
          <button type="button" class="action" onClick={() => onChange(swapAxes(spec))}>
            {t('Swap axes')}
          </button>
        </div>
      )}
    </div>
  );
};

/** The available marks, and the current one. */
function marks(current: string): Option[] {
  const labels: Record<StudioMark, string> = {
    bar: t('Bars'),
    line: t('Line'),
    area: t('Area'),
    point: t('Points'),
    arc: t('Pie'),
    rect: t('Heat map'),
    tick: t('Ticks'),
    boxplot: t('Box plot'),
  };
  const known = studioMarks.map((mark) => ({ value: mark, label: labels[mark] }));
  return known.some(({ value }) => value === current) ? known : [{ value: current, label: current }, ...known];
}

const counts = (current: number | undefined): readonly number[] =>
  current === undefined || COUNTS.includes(current) ? COUNTS : [...COUNTS, current].sort((a, b) => a - b);

interface Option {
  value: string;
  label: string;
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}

/** A labeled drop-down list. */
const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <label class="studio-choice">
    <span class="studio-label">{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  </label>
);
