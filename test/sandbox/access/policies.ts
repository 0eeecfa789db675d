/** Computes row-level security conditions from `policies.yml` and the user's rights. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { UserAttribute } from '../../../src/shared/wire/streamLines.ts';
import type { RowFilter } from '../semantic/relation.ts';
import { quoteText } from '../semantic/tokens.ts';

interface PolicyFile {
  /** Without a member, the attribute restricts nothing. */
  attributes: { name: string; member?: string }[];
  groups: { name: string; member: string; values: string[] }[];
  security_context: { key: string; member: string }[];
  internal_users: { id: string; attributes?: UserAttribute[] }[];
}

/** The inputs of policies. */
export interface Rights {
  userAttributes: readonly UserAttribute[];
  groups: readonly string[];
  securityContext: Readonly<Record<string, unknown>>;
}

const DEFAULT_PATH = join(import.meta.dirname, '..', 'model', 'policies.yml');

export class Policies {
  readonly #path: string;

  /** @param path the file, which may change while the service runs */
  constructor(path = DEFAULT_PATH) {
    this.#path = path;
  }

  get #file(): PolicyFile {
    return parse(readFileSync(this.#path, 'utf8')) as PolicyFile;
  }

  hasAttribute(name: string): boolean {
    return this.#file.attributes.some((attribute) => attribute.name === name);
  }

  /** @returns the rights of an internal user, or `undefined` if there is no such user */
  internalUser(id: string): Rights | undefined {
    const user = this.#file.internal_users.find((known) => known.id === id);
    return user && { userAttributes: user.attributes ?? [], groups: [], securityContext: {} };
  }

  /** @returns the conditions on rows; empty for a user without restrictions */
  rowFilters({ userAttributes, groups, securityContext }: Rights): RowFilter[] {
    const allowed = new Map<string, Set<string>>();
    const allow = (key: string, values: readonly unknown[]): void => {
      const held = allowed.get(key) ?? new Set();
      for (const value of values) held.add(String(value));
      allowed.set(key, held);
    };
    const file = this.#file;
    // Values for one member are combined with OR, different members with AND.
    for (const { name, value } of userAttributes)
      for (const { name: known, member } of file.attributes)
        if (known === name && member !== undefined) allow(`attribute ${member}`, [value]);
    for (const { name, member, values } of file.groups) if (groups.includes(name)) allow(`group ${member}`, values);
    for (const { key, member } of file.security_context) {
      const value = Object.hasOwn(securityContext, key) ? securityContext[key] : undefined;
      if (value !== undefined && value !== null) allow(`context ${member}`, Array.isArray(value) ? value : [value]);
    }
    return [...allowed].map(([key, values]) => {
      const [cube = '', column = ''] = (key.split(' ')[1] ?? '').split('.');
      const list = [...values].map(quoteText).join(', ');
      return { cube, sql: list === '' ? 'FALSE' : `{CUBE}.${column} IN (${list})` };
    });
  }
}
