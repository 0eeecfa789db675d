/** Validates and derives the URLs of the chat API (parts 1 and 4) and of the data query API. */
import { t } from '../shared/text/l10n.ts';
import { ChatError } from './errors.ts';
import { withoutTrailing } from '../shared/text/lines.ts';

export interface ChatAddresses {
  /** `{base_url}`, without a trailing slash. */
  base: string;
  stream: string;
  abort: string;
  /** Credentials are stored per origin and sent to no other origin. */
  origin: string;
}

/** Only literal addresses and `localhost` itself: a resolver may map names such as `x.localhost` to any host. */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

const badUrl = (message: string): ChatError => new ChatError('badRequest', message, { code: 'BAD_URL' });

/**
 * @param url an absolute URL that a credential may be sent to
 * @param name the name of the setting, for the error message
 * @throws ChatError `badRequest` unless the URL is `https:`, or `http:` to a loopback address, and contains no
 * credentials
 */
function checkedUrl(url: string, name = t('Chat API URL')): URL {
  const parsed = URL.canParse(url.trim()) ? new URL(url.trim()) : undefined;
  if (parsed === undefined || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:'))
    throw badUrl(t('“{0}” is not a valid URL.', name));
  if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname))
    throw new ChatError('badRequest', t('“{0}” must start with https://.', name), { code: 'INSECURE_URL' });
  if (parsed.username !== '' || parsed.password !== '')
    throw badUrl(t('“{0}” must not contain a user name or password.', name));
  return parsed;
}

/**
 * @param chatApiUrl the Chat API URL as pasted, with or without `/chat/stream-chat-state` and trailing slashes
 * @throws ChatError as `checkedUrl`
 */
export function chatAddresses(chatApiUrl: string): ChatAddresses {
  const { origin, pathname } = checkedUrl(chatApiUrl);
  const path = withoutTrailing(withoutTrailing(pathname, '/').replace(/\/chat\/(?:stream-chat-state|abort)$/, ''), '/');
  const base = origin + path;
  return { base, stream: `${base}/chat/stream-chat-state`, abort: `${base}/chat/abort`, origin };
}

/** Whether a Chat API URL is that of a deployment, which accepts service tokens but no API keys. */
export const takesOnlyTokens = (chatApiUrl: string): boolean =>
  /\/deployments\/[^/]/.test(chatAddresses(chatApiUrl).base);

const BRANCH = '{branch}';

/**
 * @param template the URL as set by the user; `{branch}` in its path or query is replaced by the branch
 * @param branch the branch name
 * @returns the URL for this branch, always on the origin of the template
 * @throws ChatError as `checkedUrl`, and if the name would be resolved as a relative path segment
 */
export function dataQueryAddress(template: string, branch: string): URL {
  const name = 'dataQueryUrl';
  if (!template.includes(BRANCH)) return checkedUrl(template, name);
  const { origin } = checkedUrl(template.replaceAll(BRANCH, 'x'), name);
  const url = checkedUrl(template.replaceAll(BRANCH, encodeURIComponent(branch)), name);
  if (url.origin !== origin) throw badUrl(t('“{0}” can contain {1} only in its path or query.', name, BRANCH));
  // A URL parser resolves these as relative path segments, percent-encoded or not.
  if (branch === '.' || branch === '..') throw badUrl(t('The branch name “{0}” can’t be used in a URL.', branch));
  return url;
}
