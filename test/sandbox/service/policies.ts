/** Computes row-level security conditions from `policies.yml` and the user's rights. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { RowFilter } from '../semantic/relation.ts';
import { quoteText } from '../semantic/tokens.ts';
import type { UserAttribute } from './lines.ts';

interface PolicyFile {
  attributes: { name: string; member: string }[];
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

export class Policies {
  readonly #file: PolicyFile;

  constructor(file: PolicyFile) {
    this.#file = file;
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
    // Values for one member are combined with OR, different members with AND.
    for (const { name, value } of userAttributes)
      for (const { name: known, member } of this.#file.attributes)
        if (known === name) allow(`attribute ${member}`, [value]);
    for (const { name, member, values } of this.#file.groups)
      if (groups.includes(name)) allow(`group ${member}`, values);
    for (const { key, member } of this.#file.security_context) {
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

export async function loadPolicies(): Promise<Policies> {
  const text = await readFile(join(import.meta.dirname, '..', 'model', 'policies.yml'), 'utf8');
  return new Policies(parse(text) as PolicyFile);
}
