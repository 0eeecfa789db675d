/** A request as a command for a POSIX shell, to be repeated or reported; its credential is a variable of that shell. */
import type { ChatRequest } from '../shared/wire.ts';
import { requestHeaders } from './request.ts';
import type { CredentialKind } from './sessionRules.ts';

/** Where the shell finds the credential. */
export const SHELL_VARIABLE: Readonly<Record<CredentialKind, string>> = {
  apiKey: 'ANALYTICS_CHAT_API_KEY',
  serviceToken: 'ANALYTICS_CHAT_SERVICE_TOKEN',
};

/** Bytes. Systems limit an argument (128 KiB on Linux); what a shell prints itself is under no such limit. */
const LONGEST_ARGUMENT = 100_000;

/** Characters of base64; a longer image would make a command that nobody can read or paste. */
const LONGEST_IMAGE = 8_000;

/** @returns the request with the names of large images in place of their data; itself where it has none */
export function withoutLargeImages(request: ChatRequest): ChatRequest {
  if (!request.images?.some(({ data }) => data.length > LONGEST_IMAGE)) return request;
  const images = request.images.map((image) =>
    image.data.length > LONGEST_IMAGE ? { ...image, data: `<base64 of ${image.name ?? image.mimeType}>` } : image,
  );
  return { ...request, images };
}

/** Single quotes keep everything as it is, history expansion included; a quote itself goes between two of them. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * @param url an address that is put into the command as it is
 * @param body JSON of the request, sent byte for byte
 * @returns the command; `curl` shows the lines of the answer as they come
 */
export function curlCommand(url: string, kind: CredentialKind, body: string): string {
  const headers = Object.entries(requestHeaders({ kind, value: `$${SHELL_VARIABLE[kind]}` })).map(
    // In double quotes the variable is filled in; the names and values are our own.
    ([name, value]) => `--header "${name}: ${value}"`,
  );
  const parts = [`curl --no-buffer --request POST ${quoted(url)}`, ...headers];
  const isLong = new TextEncoder().encode(body).length > LONGEST_ARGUMENT;
  parts.push(isLong ? '--data-binary @-' : `--data-raw ${quoted(body)}`);
  return (isLong ? `printf %s ${quoted(body)} | ` : '') + parts.join(' \\\n  ');
}
