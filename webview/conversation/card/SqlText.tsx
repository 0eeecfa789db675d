/** A block of highlighted SQL. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../src/shared/text/l10n.ts';
import { highlightSql } from '../../markdown/highlight.ts';

/** @param props.part key of the text for finding, written to `data-part` */
export const SqlText = ({ sql, part }: { sql: string; part?: string }) => {
  const code = useRef<HTMLElement>(null);
  useLayoutEffect(() => code.current?.replaceChildren(highlightSql(sql)), [sql]);
  return (
    <pre class="sql" tabIndex={0} role="group" aria-label={t('SQL')} data-part={part}>
      <code ref={code} />
    </pre>
  );
};
