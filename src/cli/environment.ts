/**
 * Reads the environment variables. Only they contain the URL, the credential and the identity, because other users of
 * the machine can see arguments.
 */
import type { Credential } from '../api/client.ts';
import { chatAddresses, dataQueryAddress } from '../api/address.ts';
import { ChatError } from '../api/errors.ts';
import { AGENTS_PATH, agentsPathOf } from '../shared/text/agentsPath.ts';
import { checkSessionSettings, unknownSettings } from '../api/sessionRules.ts';
import { labelOf, withoutAuthoring } from '../chat/connection/identity.ts';
import { commandIn, runProgram, TokenCommand } from '../chat/connection/tokenCommand.ts';
import { fieldsOf, isFields } from '../shared/text/checks.ts';
import { quotedNames } from '../shared/text/l10n.ts';
import type { SessionSettings } from '../shared/wire/streamLines.ts';
import { UsageError } from './usage.ts';

interface Identity {
  /** Name of the identity, for reports and baselines. */
  label: string;
  /** Absent with a service token. */
  sessionSettings?: SessionSettings;
}

export interface Environment {
  chatApiUrl: string;
  credential: Credential;
  /** May contain `{branch}`. */
  dataQueryUrl: string | undefined;
  /** The credential for the origin of that URL. */
  dataQueryCredential: Credential;
  mainBranch: string;
  /** The folder of the platform's files, relative to a project. */
  agentsPath: string;
  /** What is unusual, but not wrong. */
  hints: readonly string[];
  /** Whether the agent can't write workbooks, reports and dashboards, as whichever identity it is asked. */
  isReadOnly: boolean;
  /** @throws UsageError for a name that the environment does not define */
  identity: (name?: string) => Identity;
}

type Variables = Readonly<Record<string, string | undefined>>;

const URL_VARIABLE = 'ANALYTICS_CHAT_API_URL';
const KEY_VARIABLE = 'ANALYTICS_CHAT_API_KEY';
const TOKEN_VARIABLE = 'ANALYTICS_CHAT_SERVICE_TOKEN';
const COMMAND_VARIABLE = 'ANALYTICS_CHAT_TOKEN_COMMAND';
const SETTINGS_VARIABLE = 'ANALYTICS_CHAT_SESSION_SETTINGS';
const ID_VARIABLE = 'ANALYTICS_CHAT_EXTERNAL_ID';
const DATA_VARIABLE = 'ANALYTICS_CHAT_DATA_QUERY_URL';
const DATA_KEY_VARIABLE = 'ANALYTICS_CHAT_DATA_QUERY_KEY';
const MAIN_VARIABLE = 'ANALYTICS_CHAT_MAIN_BRANCH';
const AGENTS_VARIABLE = 'ANALYTICS_CHAT_AGENTS_PATH';

/**
 * @param onToken receives each token that the token command prints
 * @throws UsageError if something is missing or invalid
 */
export function readEnvironment(variables: Variables, onToken: (token: string) => void): Environment {
  const text = (name: string): string | undefined => variables[name]?.trim() || undefined;
  const chatApiUrl = text(URL_VARIABLE);
  if (chatApiUrl === undefined) throw new UsageError(`Set ${URL_VARIABLE} to the Chat API URL of the agent.`);
  const dataQueryUrl = text(DATA_VARIABLE);
  const mainBranch = text(MAIN_VARIABLE) ?? 'main';
  const [origin, dataOrigin] = originsOf(chatApiUrl, dataQueryUrl, mainBranch);
  const credential = readCredential(text, onToken);
  const dataKey = text(DATA_KEY_VARIABLE);
  // A credential is sent to no origin but its own.
  if (dataOrigin !== origin && dataKey === undefined)
    throw new UsageError(
      `${DATA_VARIABLE} is on another origin than ${URL_VARIABLE}, to which your key or token is not sent. Set ${DATA_KEY_VARIABLE} to the key or token for ${dataOrigin}.`,
    );
  const identities = readIdentities(text(SETTINGS_VARIABLE), text(ID_VARIABLE));
  return {
    chatApiUrl,
    credential,
    dataQueryUrl,
    dataQueryCredential: dataKey === undefined ? credential : { kind: credential.kind, value: dataKey },
    mainBranch,
    agentsPath: readAgentsPath(variables),
    hints: hintsFor(identities),
    isReadOnly: credential.kind === 'apiKey' && !mayAuthor(identities),
    identity: (name) => chooseIdentity(identities, credential, name),
  };
}

/**
 * @returns the folder of the platform's files, relative to a project
 * @throws UsageError if it is invalid
 */
export function readAgentsPath(variables: Variables): string {
  const path = agentsPathOf(variables[AGENTS_VARIABLE]?.trim() || AGENTS_PATH);
  if (path === undefined) throw new UsageError(`${AGENTS_VARIABLE} must be a folder in the project, relative to it.`);
  return path;
}

/** @returns the origins of the Chat API URL and of the data query URL; without the latter, the former twice */
function originsOf(chatApiUrl: string, dataQueryUrl: string | undefined, branch: string): [string, string] {
  const originOf = (variable: string, parse: () => { origin: string }): string => {
    try {
      return parse().origin;
    } catch (failure) {
      throw failure instanceof ChatError ? new UsageError(`${variable}: ${failure.message}`) : failure;
    }
  };
  const origin = originOf(URL_VARIABLE, () => chatAddresses(chatApiUrl));
  if (dataQueryUrl === undefined) return [origin, origin];
  return [origin, originOf(DATA_VARIABLE, () => dataQueryAddress(dataQueryUrl, branch))];
}

function readCredential(text: (name: string) => string | undefined, onToken: (token: string) => void): Credential {
  const names = [KEY_VARIABLE, TOKEN_VARIABLE, COMMAND_VARIABLE];
  const [first, ...more] = names.filter((name) => text(name) !== undefined);
  if (first === undefined) throw new UsageError(`Set ${KEY_VARIABLE}, ${TOKEN_VARIABLE} or ${COMMAND_VARIABLE}.`);
  if (more.length > 0) throw new UsageError(`Set only one of ${[first, ...more].join(', ')}.`);
  const value = text(first) ?? '';
  if (first !== COMMAND_VARIABLE) return { kind: first === KEY_VARIABLE ? 'apiKey' : 'serviceToken', value };
  const command = commandIn(parseJson(value, first));
  if (!command) throw new UsageError(`${first} is not a JSON array of a program and its arguments.`);
  return new TokenCommand(() => runProgram(command), onToken).credential;
}

interface Identities {
  own: Record<string, unknown> | undefined;
  /** The variable that defines `own`. */
  ownVariable: string;
  named: ReadonlyMap<string, unknown>;
}

/** Session settings, or an object of session settings by name. */
function readIdentities(json: string | undefined, externalId: string | undefined): Identities {
  const own = externalId === undefined ? undefined : { externalId };
  const byId = { own, ownVariable: ID_VARIABLE, named: new Map<string, unknown>() };
  if (json === undefined) return byId;
  const settings = parseJson(json, SETTINGS_VARIABLE);
  if (!isFields(settings)) throw new UsageError(`${SETTINGS_VARIABLE} is not a JSON object.`);
  const isOne = 'externalId' in settings || 'internalId' in settings;
  if (isOne && own) throw new UsageError(`Set either ${SETTINGS_VARIABLE} or ${ID_VARIABLE}.`);
  return isOne
    ? { own: settings, ownVariable: SETTINGS_VARIABLE, named: new Map() }
    : { ...byId, named: new Map(Object.entries(settings)) };
}

const mayAuthor = ({ own, named }: Identities): boolean =>
  [own, ...named.values()].some((settings) => fieldsOf(settings)['allowChatWorkspaceAuthoring'] === true);

function hintsFor({ own, named }: Identities): string[] {
  const unknown = [own, ...named.values()].flatMap((settings) => (isFields(settings) ? unknownSettings(settings) : []));
  if (unknown.length === 0) return [];
  return [`${SETTINGS_VARIABLE}: ${quotedNames([...new Set(unknown)])} is unknown here and sent unchanged.`];
}

function parseJson(json: string, variable: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The parser's message quotes the text, which may be a secret.
    throw new UsageError(`${variable} is not JSON.`);
  }
}

function chooseIdentity(
  { own, ownVariable, named }: Identities,
  { kind }: Credential,
  name: string | undefined,
): Identity {
  if (kind === 'serviceToken') {
    if (name !== undefined)
      throw new UsageError(`A service token identifies its user. Set ${KEY_VARIABLE} to ask as “${name}”.`);
    return { label: 'service token' };
  }
  const isOwn = name === undefined || (!named.has(name) && name === labelOf(own));
  const settings = isOwn ? own : named.get(name);
  if (settings === undefined) throw new UsageError(missingMessage([...named.keys()], name));
  const label = isOwn ? labelOf(own) : name;
  const [violation] = checkSessionSettings(settings);
  if (violation) throw new UsageError(`${isOwn ? ownVariable : SETTINGS_VARIABLE}: ${violation.message}`);
  return { label, sessionSettings: withoutAuthoring(settings as SessionSettings) };
}

function missingMessage(names: readonly string[], name: string | undefined): string {
  // Names may contain commas.
  const known = quotedNames(names);
  if (name !== undefined)
    return known === ''
      ? `There is no identity “${name}”. Set ${SETTINGS_VARIABLE} to an object of session settings by name.`
      : `There is no identity “${name}”. ${SETTINGS_VARIABLE} has ${known}.`;
  return known === ''
    ? `Set ${ID_VARIABLE} or ${SETTINGS_VARIABLE} to define your identity.`
    : `Choose an identity with --as (${known}), or set ${ID_VARIABLE}.`;
}
