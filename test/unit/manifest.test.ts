/** The manifest and the code match in both directions. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, it } from 'mocha';

const root = join(import.meta.dirname, '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

interface Setting {
  scope?: string;
  default?: unknown;
  order?: number;
  ignoreSync?: boolean;
  enum?: string[];
  markdownEnumDescriptions?: string[];
}

interface Manifest {
  contributes: {
    commands: { command: string; category: string }[];
    menus: Record<string, { command?: string; submenu?: string; when?: string }[]>;
    submenus: { id: string }[];
    keybindings: { command: string; key: string; when?: string }[];
    configuration: { title: string; order: number; properties: Record<string, Setting> }[];
    languageModelTools: { name: string; tags: string[] }[];
    chatParticipants: { disambiguation: { examples: string[] }[] }[];
    views: Record<string, { id: string }[]>;
  };
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  activationEvents: string[];
  extensionKind: string[];
  main: string;
  browser: string;
  repository: { url: string };
  bugs: { url: string };
  homepage: string;
  keywords: string[];
  categories: string[];
  galleryBanner: { color: string };
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const { contributes } = manifest;
const settings: Record<string, Setting> = Object.assign(
  {},
  ...contributes.configuration.map((each) => each.properties),
);
const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();

describe('manifest', () => {
  it('contributes exactly the commands that the code registers', () => {
    const areas = globSync('src/vscode/*/*Area.ts', { cwd: root }).map((file) => read(file));
    const registered = areas.flatMap((area) => [...area.matchAll(/'(analyticsChat\.\w+)':/g)].map(([, id]) => id));
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), registered.sort());
    assert.ok(contributes.commands.every(({ category }) => category === 'Analytics Chat'));
  });

  it('protects exports from spreadsheet formulas unless the user turns it off', () => {
    const { default: isOn, scope } = settings['analyticsChat.export.guardFormulas'] ?? {};
    assert.deepEqual([isOn, scope], [true, 'application']);
  });

  it('contributes the commands that buttons, links and notifications run', () => {
    const known = new Set(contributes.commands.map(({ command }) => command));
    const sources = globSync('src/vscode/**/*.ts', { cwd: root }).map((file) => read(file));
    const run = sources.flatMap((source) =>
      [...source.matchAll(/(?:executeCommand\(|command: |button\()'(analyticsChat\.\w+)'/g)].map(([, id]) => id ?? ''),
    );
    assert.ok(run.length > 10);
    assert.deepEqual(
      run.filter((id) => !known.has(id)),
      [],
    );
  });

  it('lists “Compare Branches…” first in the Command Palette when its name is typed', () => {
    const words = (title: string): string[] => title.toLowerCase().replace('…', '').split(' ');
    for (const language of ['', '.de', '.fr']) {
      const titles = JSON.parse(read(`package.nls${language}.json`)) as Record<string, string>;
      const typed = titles['command.compareBranches']!;
      // The palette sorts the titles that have all typed words by the alphabet.
      const found = Object.entries(titles)
        .filter(([key, title]) => {
          const has = words(title);
          return (
            key.startsWith('command.') && words(typed).every((word) => has.some((other) => other.startsWith(word)))
          );
        })
        .map(([, title]) => title);
      assert.equal(found.sort((a, b) => a.localeCompare(b))[0], typed, language);
    }
  });

  it('has only existing commands in menus', () => {
    const known = new Set(contributes.commands.map(({ command }) => command));
    const used = Object.values(contributes.menus).flat();
    assert.deepEqual(
      used.filter(({ command }) => command !== undefined && !known.has(command)),
      [],
    );
    const submenus = contributes.submenus.map(({ id }) => id);
    assert.deepEqual(sorted(used.flatMap(({ submenu }) => submenu ?? [])), sorted(submenus));
    assert.deepEqual(
      submenus.filter((id) => contributes.menus[id] === undefined),
      [],
    );
  });

  it('declares exactly the settings that the code reads', () => {
    const source = read('src', 'vscode', 'host', 'settings.ts');
    const reads = [...source.matchAll(/(?:own(?:<\w+>)?\(configuration, |configuration\.get\()'([\w.]+)'/g)];
    const inCode = reads.map(([, key]) => `analyticsChat.${key}`);
    assert.deepEqual(sorted(Object.keys(settings)), sorted(inCode));
  });

  it('keeps settings for credentials, identities and data loss out of workspaces', () => {
    const access = ['chatApiUrl', 'authentication', 'tokenCommand', 'sessionSettings', 'identities', 'connections'];
    access.push('dataQueryUrl');
    const harm = ['history.limit', 'stallTimeout', 'insert.provenance', 'export.guardFormulas', 'tools.enabled'];
    harm.push('allowAuthoring');
    const own = [...access, ...harm].map((key) => `analyticsChat.${key}`);
    for (const key of own) assert.equal(settings[key]?.scope, 'application', key);
    assert.deepEqual(sorted(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations), sorted(own));
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  it('has every string that it refers to, and uses every string that it has', () => {
    const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;
    const named = [...read('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual(sorted(Object.keys(texts)), sorted(named));
  });

  it('has only the markup in its walkthrough that VS Code renders there, whose signs are doubled', () => {
    for (const name of ['package.nls.json', 'package.nls.de.json', 'package.nls.fr.json'])
      for (const [key, text] of Object.entries(JSON.parse(read(name)) as Record<string, string>))
        if (key.startsWith('walkthrough.'))
          assert.doesNotMatch(text, /(?<!\*)\*(?!\*)|(?<!`)`(?!`)/, `${name}: ${key}`);
  });

  it('runs beside the files of the workspace if it can: in WSL, SSH and containers, where git and the model are', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace', 'ui']);
  });

  it('has its bundles among those whose source maps the debugger reads', () => {
    type Launch = { configurations: { outFiles: string[] }[] };
    for (const { outFiles } of (JSON.parse(read('.vscode', 'launch.json')) as Launch).configurations) {
      const globs = outFiles.map((glob) => glob.replace('${workspaceFolder}', '.'));
      for (const bundle of [manifest.main, manifest.browser])
        assert.ok(
          globs.some((glob) => matchesGlob(bundle, glob)),
          `${bundle} is not in ${globs.join()}`,
        );
    }
  });

  it('activates for links, restored tabs, SQL files, model folders and question tests, without searching the workspace', () => {
    const events = manifest.activationEvents;
    assert.ok(events.includes('onUri'));
    assert.ok(events.includes('onLanguage:sql'));
    assert.ok(events.includes('workspaceContains:model/cubes'));
    for (const file of ['agents/eval_questions', '.analytics-chat/questions', '.analytics-chat/access'])
      for (const extension of ['yml', 'yaml'])
        assert.ok(events.includes(`workspaceContains:${file}.${extension}`), `${file}.${extension}`);
    // A pattern would search every opened workspace; a path only checks whether the file exists.
    assert.deepEqual(
      events.filter(
        (event) => event === '*' || event === 'onStartupFinished' || /^workspaceContains:.*[*?{]/.test(event),
      ),
      [],
    );
  });

  it('has few key bindings, only in text editors and for chords with Ctrl+K', () => {
    assert.ok(contributes.keybindings.length <= 3);
    // The terminal, the debug console, the search box and the explorer have their own key bindings for it.
    for (const { key, when } of contributes.keybindings) assert.match(when ?? '', /^editorTextFocus\b/, key);
  });

  it('keeps the overflow menu of the view short', () => {
    const entries = contributes.menus['view/title'] ?? [];
    assert.ok(entries.length - 3 <= 8, 'entries beside the three icons');
  });

  it('offers *Ask About Selection* only in model, SQL and code files, and *Ask About This File* for these kinds', () => {
    const clauseOf = (menu: string, id: string): string =>
      contributes.menus[menu]?.find(({ command }) => command === id)?.when ?? '';
    const patterns = (clause: string): RegExp[] =>
      [...clause.matchAll(/=~ \/(.+?)\/(i?)(?=[\s)]|$)/g)].map(([, source, flags]) => new RegExp(source ?? '', flags));
    const [language, extension] = patterns(clauseOf('editor/context', 'analyticsChat.askAboutSelection'));
    for (const id of ['sql', 'jinja-sql', 'yaml', 'python', 'typescript']) assert.ok(language?.test(id), id);
    for (const id of ['plaintext', 'log', 'markdown', 'json']) assert.ok(!language?.test(id), id);
    assert.ok(extension?.test('.lkml') && !extension.test('.log'));
    const [file] = patterns(clauseOf('explorer/context', 'analyticsChat.askAboutFile'));
    for (const name of ['.sql', '.yml', '.js', '.ts', '.py', '.lkml', '.md']) assert.ok(file?.test(name), name);
    assert.ok(!file?.test('.png'));
  });

  it('lists each way to insert SQL and to show past chats once in the palette', () => {
    const hidden = new Set(
      contributes.menus.commandPalette?.filter(({ when }) => when === 'false').map(({ command }) => command),
    );
    const shown = (...names: string[]): string[] => names.filter((name) => !hidden.has(`analyticsChat.${name}`));
    assert.deepEqual(shown('insertSql', 'pickSql', 'replaceWithSql', 'diffSql'), ['insertSql', 'pickSql']);
    assert.deepEqual(shown('history', 'showHistory'), ['showHistory']);
  });

  it('has settings in ordered sections, with a description of each enum value', () => {
    assert.ok(contributes.configuration.length > 1);
    contributes.configuration.forEach(({ order, properties }, at) => {
      assert.equal(order, at + 1);
      assert.deepEqual(
        Object.values(properties).map((property) => property.order),
        Object.keys(properties).map((_, index) => index + 1),
      );
    });
    for (const [key, { enum: values, markdownEnumDescriptions: described }] of Object.entries(settings))
      assert.equal(described?.length, values?.length, key);
  });

  it('translates every message about an invalid value', () => {
    const messages = [...read('package.json').matchAll(/"patternErrorMessage": "(.*)"/g)].map(([, text]) => text ?? '');
    assert.ok(messages.length > 0);
    for (const message of messages) assert.match(message, /^%.*%$/);
  });

  it('keeps identities and connections on this machine', () => {
    for (const name of ['sessionSettings', 'identities', 'connections'])
      assert.equal(settings[`analyticsChat.${name}`]?.ignoreSync, true, name);
  });

  it('has repository, keywords and categories for the Marketplace', () => {
    for (const url of [manifest.repository.url, manifest.bugs.url, manifest.homepage]) assert.match(url, /^https:/);
    assert.ok(manifest.keywords.length > 0 && manifest.galleryBanner.color);
    assert.ok(manifest.categories.includes('Visualization'));
  });

  it('names its tools verb first, with tags, and says when the participant can answer', () => {
    for (const { name, tags } of contributes.languageModelTools) {
      assert.match(name, /^(ask|check|run|search)(_[a-z]+)+$/);
      assert.ok(tags.length > 0, name);
    }
    assert.ok(contributes.chatParticipants.every(({ disambiguation }) => disambiguation[0]?.examples.length));
  });
});
