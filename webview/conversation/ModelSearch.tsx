/** The result of a model search, as a tree of definitions and members. */
import { useState } from 'preact/hooks';
import type { ModelDefinition, ModelMember, ModelSearchPayload } from '../../src/shared/wire/toolPayloads.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { usePost } from '../app/post.ts';

const FILTER_FROM = 8;

const ICONS: Readonly<Record<string, string>> = {
  number: 'symbol-number',
  string: 'symbol-string',
  time: 'calendar',
  boolean: 'symbol-boolean',
};

const iconOf = ({ type, aggType }: ModelMember): string =>
  aggType === undefined ? (ICONS[type.toLowerCase()] ?? 'symbol-field') : 'symbol-operator';

interface ModelSearchProps {
  payload: ModelSearchPayload;
  running: boolean;
  /** Whether the members are listed; the user can fold and unfold them. */
  open: boolean;
}

export const ModelSearch = ({ payload, running, open }: ModelSearchProps) => {
  const { searchQuery, definitions, error } = payload;
  const total = definitions?.reduce((sum, { members }) => sum + members.length, 0) ?? 0;
  const head = (
    <>
      <Icon icon={running ? 'loading' : error === undefined ? 'search' : 'warning'} />
      <span>
        {t('Model search: {0}', searchQuery)}{' '}
        {total > 0 ? <span class="quiet">{plural(total, '{0} member|{0} members')}</span> : null}
      </span>
    </>
  );
  return (
    <div class="search" role="group" aria-label={t('Model search: {0}', searchQuery)}>
      {definitions && total > 0 ? (
        <details open={open}>
          <summary class="search-head">{head}</summary>
          <Found definitions={definitions} isFiltered={total >= FILTER_FROM} />
        </details>
      ) : (
        <p class="search-head">{head}</p>
      )}
      {error === undefined ? null : <p class="tool-error">{t('The search failed: {0}', error)}</p>}
      {definitions && total === 0 ? <p class="quiet">{t('No matching members.')}</p> : null}
    </div>
  );
};

const Found = ({ definitions, isFiltered }: { definitions: readonly ModelDefinition[]; isFiltered: boolean }) => {
  const [filter, setFilter] = useState('');
  const shown = definitions
    .map((definition) => matching(definition, filter))
    .filter(({ members }) => members.length > 0);
  return (
    <>
      {isFiltered ? (
        <input
          class="filter"
          type="text"
          aria-label={t('Filter members')}
          placeholder={t('Filter members')}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      ) : null}
      {shown.map((definition) => (
        <Definition key={definition.name} definition={definition} />
      ))}
    </>
  );
};

function matching(definition: ModelDefinition, filter: string): ModelDefinition {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return definition;
  const members = definition.members.filter(({ name, title, description }) =>
    `${name} ${title} ${description}`.toLowerCase().includes(wanted),
  );
  return { ...definition, members };
}

const Definition = ({ definition }: { definition: ModelDefinition }) => {
  const post = usePost();
  return (
    <details class="definition" open>
      <summary>
        <Icon icon="symbol-class" />
        {definition.title || definition.name}
        <span class="quiet"> {definition.type}</span>
      </summary>
      <ul>
        {definition.members.map((member) => (
          <li key={member.name} title={member.description}>
            <Icon icon={iconOf(member)} />
            <span class="member-name">{member.title || member.name}</span>
            <code>{member.name}</code>
            {member.aggType === undefined ? null : <span class="quiet">{member.aggType}</span>}
            <IconButton
              icon="insert"
              name={t('Insert {0}', member.name)}
              class="member-insert"
              onClick={() => post({ type: 'insertMember', name: member.name })}
            />
          </li>
        ))}
      </ul>
    </details>
  );
};
