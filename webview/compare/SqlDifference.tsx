/** A line-by-line diff of two queries. */
import type { DiffLine, SideName } from '../../src/shared/protocol/compare.ts';
import { t } from '../../src/shared/text/l10n.ts';

interface DifferenceProps {
  lines: readonly DiffLine[];
  labels: Readonly<Record<SideName, string>>;
}

const SIGNS = { both: ' ', left: '−', right: '+' } as const;
const ELEMENTS = { both: 'span', left: 'del', right: 'ins' } as const;

export const SqlDifference = ({ lines, labels }: DifferenceProps) => {
  if (lines.length === 0) return <p class="quiet">{t('The SQL is the same on both sides.')}</p>;
  return (
    <>
      <p class="legend" aria-hidden="true">
        <span class="sign removed">{SIGNS.left}</span> {labels.left}
        <span class="sign added">{SIGNS.right}</span> {labels.right}
      </p>
      <pre class="sql-diff" tabIndex={0} role="region" aria-label={t('SQL difference')}>
        {lines.map(({ side, text }, index) => {
          const Line = ELEMENTS[side];
          return (
            <Line key={index} class={`line ${side}`}>
              <span class="gutter" aria-hidden="true">
                {SIGNS[side]}
              </span>
              {side === 'both' ? null : <span class="visually-hidden">{t('Only in {0}:', labels[side]) + ' '}</span>}
              {text}
              {'\n'}
            </Line>
          );
        })}
      </pre>
    </>
  );
};
