/** SQL with its words coloured. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../src/shared/l10n.ts';
import { highlightSql } from '../markdown/highlight.ts';

export const SqlText = ({ sql }: { sql: string }) => {
  const code = useRef<HTMLElement>(null);
  useLayoutEffect(() => code.current?.replaceChildren(highlightSql(sql)), [sql]);
  return (
    <pre class="sql" tabIndex={0} role="region" aria-label={t('SQL')}>
      <code ref={code} />
    </pre>
  );
};
