/** The differences between the answers to one question: definitions, SQL and results. */
import type { RunComparison } from '../../src/shared/protocol/runs.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { ComparedResults } from './ComparedResults.tsx';
import { Definitions, SqlDifferences } from './Differences.tsx';
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
