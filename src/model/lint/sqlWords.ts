/** Words of SQL that may be something else than the name of a column. */

/** Keywords that end an expression, so that a name behind them is its alias. */
const OPERANDS = words(
  'end null true false current_date current_time current_timestamp localtime localtimestamp',
  'current_user session_user user current_role current_catalog current_schema',
);

const KEYWORDS = new Set([
  ...OPERANDS,
  ...words(
    'all and any array as asc asymmetric at between both by case cast check collate column constraint create cross cube',
    'current day days default delete desc distinct do else escape except exclude exists explain extract fetch filter',
    'first following for from full function group grouping groups having hour hours ilike in inner insert intersect',
    'interval into is isnull iso isodow isoyear join last lateral leading left like limit local match measure',
    'microsecond microseconds millisecond milliseconds minus minute minutes month months natural next no not notnull',
    'nulls of offset on only or order others outer over overlaps partition percent placing preceding prior qualify',
    'quarter quarters range recursive regexp respect right rlike rollup row rows second seconds select set sets similar',
    'some symmetric table tablesample then ties time timestamp timestamptz to trailing unbounded union unique unknown',
    'update using values when where window with within without year years week weeks decade century millennium epoch',
    'dow doy zone ignore materialized begin',
  ),
  // Types, as in CAST and behind ::
  ...words(
    'bigint boolean bytea char character date datetime decimal double float int integer json jsonb numeric precision',
    'real smallint string text uuid varchar varying',
  ),
]);

function words(...lines: readonly string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

export const isKeyword = (word: string): boolean => KEYWORDS.has(word.toLowerCase());

/** Whether a word ends an expression: a name, or a keyword with a value. */
export const isOperand = (word: string): boolean => !isKeyword(word) || OPERANDS.has(word.toLowerCase());
