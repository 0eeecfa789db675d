/** Registers areas of the extension with stubs, of which a test states only the members that it needs. */
import type { CommandHandlers, IntentHandlers, SlashHandlers } from '../../../src/vscode/host/area.ts';
import type { AllServices } from '../../../src/vscode/services.ts';
import { Disposable, EventEmitter } from '../../support/editorValues.ts';
import { loadWithEditor } from '../../support/withEditor.ts';
import { isPlain } from './pairs.ts';

/** Does nothing when it is called, constructed or disposed. */
const inert: object = new Proxy(() => undefined, {
  get: (_target, key) => (key === 'then' || key === Symbol.toPrimitive ? undefined : inert),
  set: () => true,
  apply: () => inert,
  construct: () => inert,
});

const withInert = (stub: object): object =>
  new Proxy(stub, { get: (target, key) => (Reflect.has(target, key) ? Reflect.get(target, key) : inert) });

/** The parts of `vscode` that areas use when they are registered. */
const editorParts = ['StatusBarAlignment', 'Uri', 'commands', 'env', 'languages', 'window', 'workspace'];

/** @returns the stub, in which other members of it and of its members do nothing */
const completed = (stub: object): object =>
  withInert(
    Object.fromEntries(
      Object.entries(stub).map(([key, member]: [string, unknown]) => [
        key,
        isPlain(member) ? withInert(member) : member,
      ]),
    ),
  );

type Stub<Service> = Service extends (...of: never[]) => unknown
  ? (...of: never[]) => unknown
  : { readonly [Member in keyof Service]?: unknown };

/** Stubs of services with the members that a test needs. */
export type ServiceStubs = { [Name in keyof AllServices]?: Stub<AllServices[Name]> };

interface RegisteredArea {
  commands: CommandHandlers;
  intents: IntentHandlers;
  slash: SlashHandlers;
  dispose(): void;
}

/**
 * @param area name of a folder of `src/vscode`
 * @param services stubs of the services
 * @param editor stub of `vscode`
 * @param others further arguments of the function that registers the area
 * @returns the handlers of the area; it has only some of those in the type
 */
export async function registered(
  area: string,
  services: ServiceStubs,
  editor: object = {},
  ...others: unknown[]
): Promise<RegisteredArea> {
  const register = `register${area[0]?.toUpperCase()}${area.slice(1)}`;
  const exported = await loadWithEditor<Record<string, (...of: unknown[]) => RegisteredArea>>(
    `vscode/${area}/${area}Area.ts`,
    completed({ ...Object.fromEntries(editorParts.map((part) => [part, {}])), Disposable, EventEmitter, ...editor }),
  );
  return exported[register]!(completed(services), ...others);
}
