/** Formats a request as a `curl` command for a POSIX shell, with the credential in an environment variable. */
import type { ChatRequest } from '../shared/wire/streamLines.ts';
import { requestHeaders } from './request.ts';
import type { CredentialKind } from './sessionRules.ts';

/** The environment variable that holds the credential. */
export const SHELL_VARIABLE: Readonly<Record<CredentialKind, string>> = {
  apiKey: 'ANALYTICS_CHAT_API_KEY',
  serviceToken: 'ANALYTICS_CHAT_SERVICE_TOKEN',
};

/** Bytes. The system limits the length of an argument (128 KiB on Linux), but not the output of a shell builtin. */
const LONGEST_ARGUMENT = 100_000;

/** Base64 characters; a longer image would make the command too long to read or paste. */
const LONGEST_IMAGE = 8_000;

/** @returns the request with the data of large images replaced by their names; the same object if it has none */
export function withoutLargeImages(request: ChatRequest): ChatRequest {
  if (!request.images?.some(({ data }) => data.length > LONGEST_IMAGE)) return request;
  const images = request.images.map((image) =>
    image.data.length > LONGEST_IMAGE ? { ...image, data: `<base64 of ${image.name ?? image.mimeType}>` } : image,
  );
  return { ...request, images };
}

/** Single quotes prevent every expansion, including history expansion; a single quote is written as `'\''`. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * @param url inserted into the command unchanged
 * @param body JSON of the request, sent byte for byte
 * @returns the command; `curl` prints the response lines as they arrive
 */
export function curlCommand(url: string, kind: CredentialKind, body: string): string {
  const headers = Object.entries(requestHeaders({ kind, value: `$${SHELL_VARIABLE[kind]}` })).map(
    // Double quotes, so that the shell expands the variable; names and values contain no user input.
    ([name, value]) => `--header "${name}: ${value}"`,
  );
  const parts = [`curl --no-buffer --request POST ${quoted(url)}`, ...headers];
  const isLong = new TextEncoder().encode(body).length > LONGEST_ARGUMENT;
  parts.push(isLong ? '--data-binary @-' : `--data-raw ${quoted(body)}`);
  return (isLong ? `printf %s ${quoted(body)} | ` : '') + parts.join(' \\\n  ');
}
