/** The differences between the answers to one question: definitions of members, SQL by line, and results. */
import type { ComparedQuery, RunComparison, SqlDifference } from '../../src/shared/protocol/runs.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { ScrollTable } from '../ui/ScrollTable.tsx';
import { ComparedResults } from './ComparedResults.tsx';
import './comparison.css';

interface ComparisonProps {
  comparison: RunComparison;
  /** Label of each context. */
  labels: readonly string[];
  /** Whether no more answers are to come. */
  isFinal: boolean;
}

type Labels = Pick<ComparisonProps, 'labels'>;

export const Comparison = ({ comparison: { queries, members }, labels, isFinal }: ComparisonProps) => (
  <>
    {members.length > 0 ? <Definitions members={members} labels={labels} /> : null}
    {queries.map((query, index) => (
      <section key={index} class="compared" aria-label={query.title || t('Query')}>
        <h2>{query.title || t('Query')}</h2>
        <SqlDifferences sql={query.sql} labels={labels} />
        {query.results ? <ComparedResults results={query.results} labels={labels} /> : null}
      </section>
    ))}
    {isFinal && queries.length === 0 ? (
      <p class="quiet">{t('Nothing to compare: the answers don’t both contain a query.')}</p>
    ) : null}
  </>
);

/** A line-by-line diff of each query with the first. */
const SqlDifferences = ({ sql, labels }: Pick<ComparedQuery, 'sql'> & Labels) => {
  if (sql.length === 0) {
    const isPair = labels.length === 2;
    return (
      <p class="quiet">{isPair ? t('The SQL is the same on both sides.') : t('The SQL is the same in all answers.')}</p>
    );
  }
  const others = new Set(sql.flatMap(({ contexts }) => contexts));
  const first = labels.filter((_, at) => !others.has(at)).join(', ');
  return sql.map(({ contexts, lines }) => {
    const other = contexts.map((at) => labels[at]).join(', ');
    return <SqlDifference key={other} lines={lines} left={first} right={other} />;
  });
};

const SIGNS = { both: ' ', left: '−', right: '+' } as const;
const ELEMENTS = { both: 'span', left: 'del', right: 'ins' } as const;
const COLORS = { both: '', left: 'removed', right: 'added' } as const;

/** @param left label of the contexts of the first query; `right` is that of the other */
const SqlDifference = ({ lines, left, right }: Record<'left' | 'right', string> & Pick<SqlDifference, 'lines'>) => (
  <>
    <p class="legend quiet" aria-hidden="true">
      <span>
        <span class="sign removed">{SIGNS.left}</span> {left}
      </span>
      <span>
        <span class="sign added">{SIGNS.right}</span> {right}
      </span>
    </p>
    <pre class="sql-diff" tabIndex={0} role="region" aria-label={t('SQL difference')}>
      {lines.map(({ side, text }, index) => {
        const Line = ELEMENTS[side];
        return (
          <Line key={index} class={`line ${COLORS[side]}`}>
            <span class="gutter" aria-hidden="true">
              {SIGNS[side]}
            </span>
            {side === 'both' ? null : (
              <span class="visually-hidden">{t('Only in {0}:', side === 'left' ? left : right) + ' '}</span>
            )}
            {text}
            {'\n'}
          </Line>
        );
      })}
    </pre>
  </>
);

/** The model members that the answers use with different definitions, as a table. */
const Definitions = ({ members, labels }: Pick<RunComparison, 'members'> & Labels) => {
  const title = t('Definitions that differ');
  return (
    <section class="compared">
      <h2>{title}</h2>
      <ScrollTable label={title} class="definitions">
        <thead>
          <tr>
            <th scope="col">{t('Member')}</th>
            {labels.map((label, at) => (
              <th key={at} scope="col" class="from">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {members.map(({ name, definitions, isChanged }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              {definitions.map((member, at) => (
                <td key={at} class={`from ${member ? (isChanged[at] ? 'added' : 'removed') : ''}`}>
                  <strong>{member?.title}</strong> <span class="quiet">{member?.aggType ?? member?.type}</span>
                  <p>{member?.description}</p>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
};
