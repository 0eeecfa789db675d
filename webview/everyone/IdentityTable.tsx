/** The results of all identities in one table; differences and forbidden rows are marked by color, icon and word. */
import type {
  AskedIdentity,
  IdentityCell,
  IdentityState,
  IdentityTable as Table,
} from '../../src/shared/protocol/everyone.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ScrollTable } from '../ui/ScrollTable.tsx';

interface TableProps {
  identities: readonly AskedIdentity[];
  table: Table;
  label: string;
  /** Opens the chat of the identity with this index. */
  onOpen: (index: number) => void;
}

const STATE_ICONS: Readonly<Record<IdentityState, string>> = {
  waiting: 'circle-outline',
  asking: 'loading',
  answered: 'pass',
  failed: 'error',
  canceled: 'circle-slash',
};

function stateWord(state: IdentityState): string {
  switch (state) {
    case 'waiting':
      return t('Waiting');
    case 'asking':
      return t('Asking');
    case 'answered':
      return t('Answered');
    case 'failed':
      return t('Failed');
    case 'canceled':
      return t('Canceled');
  }
}

export const IdentityTable = ({ identities, table: { dimensions, measures, rows }, label, onOpen }: TableProps) => {
  const width = Math.max(1, measures.length);
  const hasMeasureRow = measures.length > 1;
  return (
    <ScrollTable label={label} class="identities">
      <thead>
        <tr>
          {dimensions.map((name) => (
            <th key={name} scope="col" rowSpan={hasMeasureRow ? 2 : 1}>
              {name}
            </th>
          ))}
          {identities.map((identity, index) => (
            <th key={identity.name} scope={hasMeasureRow ? 'colgroup' : 'col'} colSpan={width} class="measure identity">
              <Head identity={identity} onOpen={() => onOpen(index)} />
            </th>
          ))}
        </tr>
        {hasMeasureRow ? (
          <tr>
            {identities.flatMap(({ name }) =>
              measures.map((measure, at) => (
                <th key={`${name} ${at}`} scope="col" class={at === 0 ? 'from' : ''}>
                  {measure.name}
                </th>
              )),
            )}
          </tr>
        ) : null}
      </thead>
      <tbody>
        {rows.map(({ key, cells }, row) => (
          <tr key={row}>
            {key.map((value, at) => (
              <th key={at} scope="row">
                {value ?? 'NULL'}
              </th>
            ))}
            {cells.flatMap((own, identity) =>
              own === null
                ? [
                    <td key={identity} colSpan={width} class="from missing">
                      <Missing word={t('no such row')} />
                    </td>,
                  ]
                : own.map((cell, at) => (
                    <Cell
                      key={`${identity} ${at}`}
                      cell={cell}
                      isFirst={at === 0}
                      isNumber={measures[at]?.isNumber === true}
                    />
                  )),
            )}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
};

const Head = ({ identity: { name, state, message }, onOpen }: { identity: AskedIdentity; onOpen: () => void }) => (
  <>
    <span class="identity-name">
      {name}
      {state === 'answered' ? (
        <IconButton icon="comment-discussion" name={t('Open chat as {0}', name)} onClick={onOpen} />
      ) : null}
    </span>
    <span class={`identity-state ${state}`}>
      <Icon icon={STATE_ICONS[state]} /> {state === 'answered' ? message : stateWord(state)}
    </span>
  </>
);

const Missing = ({ word }: { word: string }) => (
  <>
    <span aria-hidden="true">–</span>
    <span class="visually-hidden">{word}</span>
  </>
);

const Cell = ({ cell, isFirst, isNumber }: { cell: IdentityCell; isFirst: boolean; isNumber: boolean }) => {
  const { text, differs, isForbidden } = cell;
  const classes = [isFirst ? 'from' : '', isNumber ? 'number' : '', isForbidden ? 'forbidden' : differs ? 'other' : ''];
  const word = isForbidden ? t('must not be seen') : differs ? t('differs') : '';
  return (
    <td class={classes.join(' ').trim()} title={word}>
      {isForbidden ? <Icon icon="error" /> : null}
      {text === undefined ? <Missing word={t('no such column')} /> : (text ?? 'NULL')}
      {word === '' ? null : <span class="visually-hidden"> ({word})</span>}
    </td>
  );
};
