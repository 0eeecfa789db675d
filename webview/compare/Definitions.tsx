/** Table of the model members that both sides use with different definitions. */
import type { ChangedMember, SideName } from '../../src/shared/protocol/compare.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { ModelMember } from '../../src/shared/wire/toolPayloads.ts';

interface DefinitionsProps {
  members: readonly ChangedMember[];
  labels: Readonly<Record<SideName, string>>;
}

export const Definitions = ({ members, labels }: DefinitionsProps) => {
  const title = t('Definitions that differ');
  return (
    <section class="compared">
      <h2>{title}</h2>
      <div class="results-scroll" tabIndex={0} role="region" aria-label={title}>
        <table class="results definitions" aria-label={title}>
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
        </table>
      </div>
    </section>
  );
};

const Meaning = ({ member: { title, description, type, aggType }, side }: { member: ModelMember; side: SideName }) => (
  <td class={`from differs ${side}`}>
    <strong>{title}</strong> <span class="quiet">{aggType ?? type}</span>
    <p>{description}</p>
  </td>
);
