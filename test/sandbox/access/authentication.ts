/** Authenticates requests (part 5). */
import type { IncomingHttpHeaders } from 'node:http';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import type { RowFilter } from '../semantic/relation.ts';
import type { Exchange } from '../http/exchange.ts';
import { AuthFailure, badRequest } from '../http/failures.ts';
import type { Policies, Rights } from './policies.ts';
import { parseBody } from '../http/requests.ts';
import { checkSessionSettings, isFields } from './sessionSettings.ts';
import type { UserRegistry } from './users.ts';

/** How service tokens are validated; without it they are rejected. */
export type TokenValidation =
  | { kind: 'secret'; secret: string }
  | { kind: 'keySet'; keySet: JSONWebKeySet }
  /** @returns the security context, used instead of the token's payload. Throws to reject the token. */
  | { kind: 'custom'; check: (token: string) => Promise<Record<string, unknown>> | Record<string, unknown> };

export interface Caller {
  /** The owner of threads created by this request. */
  owner: string;
  rights: Rights;
}

export interface AuthenticatorOptions {
  apiKey: string;
  serviceTokens?: TokenValidation;
  policies: Policies;
  users: UserRegistry;
}

const asTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /**
   * Checks the credential before the body. Ignores `sessionSettings` with a service token.
   * @returns the caller, and the parsed body
   * @throws AuthFailure, or HttpFailure 400 for an invalid body or invalid settings
   */
  async authenticate({ request, body }: Exchange): Promise<{ caller: Caller; body: Record<string, unknown> }> {
    const token = await this.#checkCredential(request.headers);
    const fields = parseBody(body);
    const caller = token === undefined ? this.#fromSettings(fields['sessionSettings']) : this.#fromContext(token);
    return { caller, body: fields };
  }

  /**
   * @returns the security context of a service token, or `undefined` for the API key
   * @throws AuthFailure
   */
  async #checkCredential(headers: IncomingHttpHeaders): Promise<Record<string, unknown> | undefined> {
    const { authorization } = headers;
    if (authorization !== undefined) {
      // If this header is present, a service token is ignored.
      if (authorization !== `Api-Key ${this.#options.apiKey}`)
        throw new AuthFailure('Authentication failed: invalid API key');
      return undefined;
    }
    const token = headers['x-svc-auth-token'];
    if (typeof token !== 'string' || token === '')
      throw new AuthFailure('Authentication failed: no credentials were sent');
    return this.#contextOf(token);
  }

  /** @returns the row-level security conditions of the caller */
  rowFilters({ rights }: Caller): RowFilter[] {
    return this.#options.policies.rowFilters(rights);
  }

  async #contextOf(token: string): Promise<Record<string, unknown>> {
    const { serviceTokens } = this.#options;
    if (serviceTokens === undefined) throw new AuthFailure('Authentication failed: service tokens are not enabled');
    let context: Record<string, unknown>;
    try {
      context = serviceTokens.kind === 'custom' ? await serviceTokens.check(token) : await verify(token, serviceTokens);
    } catch {
      throw new AuthFailure('Authentication failed: invalid token');
    }
    if (!asTexts(context['scope']).includes('chat'))
      throw new AuthFailure('Authentication failed: the token lacks the scope chat');
    return context;
  }

  #fromContext(context: Record<string, unknown>): Caller {
    const id = context['externalId'] ?? context['sub'];
    if (typeof id !== 'string' || id.trim() === '')
      throw new AuthFailure('Authentication failed: the token has no externalId or sub');
    const { userAttributes } = context;
    const attributes = Array.isArray(userAttributes) ? userAttributes.filter(isFields) : [];
    return {
      owner: this.#options.users.provision(id.trim().toLowerCase()),
      rights: {
        userAttributes: attributes.map(({ name, value }) => ({ name: String(name), value: String(value) })),
        groups: asTexts(context['groups']),
        securityContext: isFields(context['securityContext']) ? { ...context, ...context['securityContext'] } : context,
      },
    };
  }

  #fromSettings(value: unknown): Caller {
    const { policies, users } = this.#options;
    const settings = checkSessionSettings(value, policies);
    if (settings.internalId !== undefined) {
      const id = settings.internalId.trim().toLowerCase();
      const rights = policies.internalUser(id);
      if (rights === undefined) throw badRequest(`There is no internal user '${id}'`);
      return { owner: `internal:${id}`, rights };
    }
    const { userAttributes = [], groups = [], securityContext = {} } = settings;
    return {
      owner: users.provision(settings.externalId ?? '', settings),
      rights: { userAttributes, groups, securityContext },
    };
  }
}

async function verify(token: string, validation: Exclude<TokenValidation, { kind: 'custom' }>): Promise<JWTPayload> {
  if (validation.kind === 'secret') {
    const key = new TextEncoder().encode(validation.secret);
    return (await jwtVerify(token, key, { algorithms: ['HS256'] })).payload;
  }
  const keys = createLocalJWKSet(validation.keySet);
  return (await jwtVerify(token, keys, { algorithms: ['RS256', 'ES256', 'EdDSA'] })).payload;
}
