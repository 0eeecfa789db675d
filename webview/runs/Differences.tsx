/** The differences between the answers to one question: definitions of members, SQL by line, and results. */
import type { ChangedMember, DiffLine, RunComparison, SqlDifference } from '../../src/shared/protocol/runs.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { ModelMember } from '../../src/shared/wire/toolPayloads.ts';
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

export const Comparison = ({ comparison: { queries, members }, labels, isFinal }: ComparisonProps) => (
  <>
    {members.length > 0 ? <Definitions members={members} labels={labels} /> : null}
    {queries.map((query, index) => (
      <section key={index} class="compared" aria-label={query.title || t('Query')}>
        <h2>{query.title || t('Query')}</h2>
        <SqlDifferences differences={query.sql} labels={labels} />
        {query.results ? <ComparedResults results={query.results} labels={labels} /> : null}
      </section>
    ))}
    {isFinal && queries.length === 0 ? (
      <p class="quiet compare-none">{t('Nothing to compare: the answers don’t both contain a query.')}</p>
    ) : null}
  </>
);

interface DifferencesProps {
  differences: readonly SqlDifference[];
  /** Label of each context. */
  labels: readonly string[];
}

/** A line-by-line diff of each query with the first. */
const SqlDifferences = ({ differences, labels }: DifferencesProps) => {
  if (differences.length === 0) {
    const isPair = labels.length === 2;
    return (
      <p class="quiet">{isPair ? t('The SQL is the same on both sides.') : t('The SQL is the same in all answers.')}</p>
    );
  }
  const others = new Set(differences.flatMap(({ contexts }) => contexts));
  const first = labels.filter((_, at) => !others.has(at)).join(', ');
  return (
    <>
      {differences.map(({ contexts, lines }) => {
        const other = contexts.map((at) => labels[at]).join(', ');
        return <SqlDifference key={other} lines={lines} left={first} right={other} />;
      })}
    </>
  );
};

interface DifferenceProps {
  lines: readonly DiffLine[];
  /** Labels of the contexts of both queries. */
  left: string;
  right: string;
}

const SIGNS = { both: ' ', left: '−', right: '+' } as const;
const ELEMENTS = { both: 'span', left: 'del', right: 'ins' } as const;
const COLORS = { both: '', left: 'removed', right: 'added' } as const;

const SqlDifference = ({ lines, left, right }: DifferenceProps) => (
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

interface DefinitionsProps {
  members: readonly ChangedMember[];
  labels: readonly string[];
}

/** The model members that the answers use with different definitions, as a table. */
const Definitions = ({ members, labels }: DefinitionsProps) => {
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
            <tr key={name} class="row">
              <th scope="row">
                <code>{name}</code>
              </th>
              {definitions.map((member, at) => (
                <Meaning key={at} member={member} isChanged={isChanged[at]} />
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
};

interface MeaningProps {
  member: ModelMember | undefined;
  isChanged: boolean | undefined;
}

const Meaning = ({ member, isChanged }: MeaningProps) => (
  <td class={member ? `from ${isChanged ? 'added' : 'removed'}` : 'from'}>
    <strong>{member?.title}</strong> <span class="quiet">{member?.aggType ?? member?.type}</span>
    <p>{member?.description}</p>
  </td>
);
