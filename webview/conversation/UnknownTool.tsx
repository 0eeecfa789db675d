/** Card of a tool that the extension does not know: its name, input and result, unformatted. */
import { t } from '../../src/shared/text/l10n.ts';
import type { Item } from '../../src/shared/thread/model.ts';
import { payloadOf } from '../../src/shared/thread/turns.ts';

export const UnknownTool = ({ item }: { item: Item }) => {
  const payload = payloadOf(item);
  if (payload?.kind !== 'unknownTool') return null;
  return (
    <div class="card" role="group" aria-label={t('Tool: {0}', payload.name)}>
      <div class="card-head">
        <span class="codicon codicon-tools" aria-hidden="true" />
        <span class="card-title">{payload.name}</span>
      </div>
      {payload.error === undefined ? null : <p class="tool-error">{payload.error}</p>}
      <Raw name={t('Input')} text={payload.input} />
      {payload.result === undefined ? null : <Raw name={t('Result')} text={payload.result} />}
    </div>
  );
};

const Raw = ({ name, text }: { name: string; text: string }) => (
  <>
    <p class="raw-name">{name}</p>
    <pre class="raw">{text}</pre>
  </>
);
