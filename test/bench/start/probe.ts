import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds from asking for an extension until it is active, its code loaded. */
export type Activations = Record<'ours' | 'empty', number>;

const manifest = (name: string, more: object): string =>
  JSON.stringify({
    publisher: 'bench',
    name,
    version: '1.0.0',
    engines: { vscode: '^1.104.0' },
    main: './main.js',
    activationEvents: [],
    ...more,
  });

/** Activates an empty extension to warm up, then ours and another empty one, first the one and then the other. */
const probe = `
const { writeFileSync } = require('node:fs');
const { extensions } = require('vscode');
const timed = async (id) => {
  const start = performance.now();
  const extension = extensions.getExtension(id);
  if (extension.isActive) throw new Error(id + ' is active already');
  await extension.activate();
  return performance.now() - start;
};
exports.activate = async () => {
  const file = process.env.BENCH_PROBE;
  const result = {};
  try {
    await timed('bench.warm');
    const ids = [['ours', 'analytics-chat.analytics-chat'], ['empty', 'bench.empty']];
    if (Date.now() % 2) ids.reverse();
    for (const [name, id] of ids) result[name] = await timed(id);
  } catch (error) {
    result.failure = String(error);
  }
  writeFileSync(file, JSON.stringify(result));
};
`;

/** @returns the folders of the extensions that measure and of those that do nothing */
export function writeProbe(folder: string): string[] {
  const extensions = {
    warm: [{}, 'exports.activate = () => {};'],
    empty: [{}, 'exports.activate = () => {};'],
    probe: [{ activationEvents: ['onStartupFinished'] }, probe],
  } as const;
  return Object.entries(extensions).map(([name, [more, code]]) => {
    const place = join(folder, name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), manifest(name, more));
    writeFileSync(join(place, 'main.js'), code);
    return place;
  });
}
