/** Differences of two answers other than their rows: the SQL by line, and the definitions of members. */
import type { ChangedMember, DiffLine, SideName } from '../../src/shared/protocol/compare.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { ModelMember } from '../../src/shared/wire/toolPayloads.ts';
import { ScrollTable } from '../ui/ScrollTable.tsx';

interface DifferenceProps {
  lines: readonly DiffLine[];
  labels: Readonly<Record<SideName, string>>;
}

const SIGNS = { both: ' ', left: '−', right: '+' } as const;
const ELEMENTS = { both: 'span', left: 'del', right: 'ins' } as const;

/** A line-by-line diff of two queries. */
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

interface DefinitionsProps {
  members: readonly ChangedMember[];
  labels: Readonly<Record<SideName, string>>;
}

/** The model members that both sides use with different definitions, as a table. */
export const Definitions = ({ members, labels }: DefinitionsProps) => {
  const title = t('Definitions that differ');
  return (
    <section class="compared">
      <h2>{title}</h2>
      <ScrollTable label={title} class="definitions">
        <thead>
          <tr>
            <th scope="col">{t('Member')}</th>
            <th scope="col" class="from">
              {labels.left}
            </th>
            <th scope="col" class="from">
              {labels.right}
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map(({ name, left, right }) => (
            <tr key={name} class="row">
              <th scope="row">
                <code>{name}</code>
              </th>
              <Meaning member={left} side="left" />
              <Meaning member={right} side="right" />
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
};

const Meaning = ({ member: { title, description, type, aggType }, side }: { member: ModelMember; side: SideName }) => (
  <td class={`from differs ${side}`}>
    <strong>{title}</strong> <span class="quiet">{aggType ?? type}</span>
    <p>{description}</p>
  </td>
);
