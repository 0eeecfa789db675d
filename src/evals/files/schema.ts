/**
 * The keys of question files and access tests, as JSON schemas: the build writes them for YAML extensions, and our own
 * completion and hovers use them where there is none.
 */
import { t } from '../../shared/text/l10n.ts';

export interface KeySchema {
  description?: string;
  type?: 'object' | 'array' | 'string';
  properties?: Readonly<Record<string, KeySchema>>;
  required?: readonly string[];
  additionalProperties?: false;
  items?: KeySchema;
  minItems?: number;
  const?: true;
  anyOf?: readonly KeySchema[];
}

const text = (description: string): KeySchema => ({ type: 'string', description });
const flag = (description: string): KeySchema => ({ const: true, description });
const object = (
  properties: NonNullable<KeySchema['properties']>,
  more: Pick<KeySchema, 'required' | 'additionalProperties' | 'description'> = {},
): KeySchema => ({ type: 'object', properties, ...more });
const list = (items: KeySchema, description: string): KeySchema => ({ type: 'array', items, description });
const oneOrMore = (items: KeySchema, description: string): KeySchema => ({
  description,
  anyOf: [items, { type: 'array', items, minItems: 1 }],
});
const anyText: KeySchema = { type: 'string' };

const name = () => text(t('Name of the test, unique in its space.'));
const question = () => text(t('The question, as a user asks it.'));
const identity = () => text(t('Name of the identity to ask as.'));
const space = () => text(t('The space in which the certified query is looked for first.'));
const result = () => ({
  sql: text(t('SQL that returns the expected rows.')),
  certifiedQuery: text(t('Name of the certified query that returns the expected rows.')),
});

const members = (description: string): KeySchema => oneOrMore(anyText, description);
const behavior = (): KeySchema =>
  object(
    {
      asks_back: flag(t('The agent runs no query, and its answer ends in a question.')),
      no_query: flag(t('The agent runs no query.')),
      uses: members(t('Members that the SQL of the answer uses, such as orders.net_revenue.')),
      avoids: members(t('Members that the SQL of the answer must not use.')),
    },
    { additionalProperties: false, description: t('How the agent answers. Everything that is set must hold.') },
  );

const questions = (entry: KeySchema): KeySchema =>
  object({
    eval_questions: list(entry, t('Questions with their expected results.')),
    space: text(t('The space of all questions in this file.')),
  });

/** The platform's `eval_questions.yml`. */
const platformQuestions = (): KeySchema =>
  questions(
    object({ name: name(), question: question(), ...result(), space: space() }, { required: ['name', 'question'] }),
  );

/** `.analytics-chat/questions.yml` */
function ownQuestions(): KeySchema {
  const asked = { question: question(), ...result(), expect: behavior() };
  const turns = list(
    object(asked, { required: ['question'] }),
    t('Questions to ask one after the other in one chat, each with its own expectation.'),
  );
  return questions(object({ name: name(), ...asked, turns, as: identity(), space: space() }, { required: ['name'] }));
}

/** `.analytics-chat/access.yml` */
function accessTests(): KeySchema {
  const columns = (description: string): KeySchema => ({ type: 'object', description });
  const expectation = object(
    {
      as: identity(),
      only: columns(t('Values that the identity may see, by column.')),
      masked: columns(t('Masks that stand for the values of a column; null is allowed too.')),
      empty: flag(t('The identity sees no rows.')),
      denied: flag(t('The identity sees no data: each query fails, or none runs.')),
      same_as: text(t('Name of another identity, which sees the same rows.')),
    },
    { required: ['as'], additionalProperties: false },
  );
  const entry = object(
    { name: name(), question: question(), expect: list(expectation, t('What each identity may see.')) },
    { required: ['name', 'question', 'expect'] },
  );
  return object({ access: list(entry, t('Tests of row-level security, masks and denials.')) });
}

/** By the kind of the file. */
export const keySchemas = { questions: platformQuestions, ownQuestions, access: accessTests };
