import { isBuiltin } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import tseslint from 'typescript-eslint';

const belowVscode = ['src/api', 'src/chat', 'src/compare', 'src/evals', 'src/insert', 'src/model', 'src/shared'];

/** The areas of `src/vscode`, each with those before it that it may import. All of them may import `host/`. */
export const areas = {
  connection: [],
  threads: ['connection'],
  views: ['threads'],
  insert: ['threads'],
  results: ['insert'],
  model: ['connection', 'threads'],
  conversation: ['connection', 'threads'],
  runs: ['connection', 'threads'],
  evals: ['runs', 'threads'],
  check: ['evals', 'model', 'runs'],
  problems: ['model'],
  native: ['check', 'connection', 'runs', 'threads'],
};

const areaRooms = Object.entries(areas).map(([area, others]) => [
  `src/vscode/${area}`,
  [...belowVscode, 'src/vscode/services.ts', ...['host', ...others].map((other) => `src/vscode/${other}`)],
]);

/** What each room may import besides itself. The row with the longest matching path applies. */
export const rooms = {
  'src/shared': [],
  'src/shared/wire': ['src/shared/text'],
  'src/shared/thread': ['src/shared/text', 'src/shared/wire'],
  'src/shared/results': ['src/shared/text', 'src/shared/wire'],
  'src/shared/chart': ['src/shared/results', 'src/shared/text', 'src/shared/wire'],
  'src/api': ['src/shared'],
  'src/chat': ['src/api', 'src/shared'],
  'src/chat/history': ['src/shared'],
  'src/chat/session': ['src/api', 'src/chat/connection', 'src/shared'],
  'src/insert': ['src/shared'],
  'src/compare': ['src/shared'],
  'src/model': ['src/shared'],
  'src/evals': ['src/chat', 'src/compare', 'src/model', 'src/shared'],
  'src/cli': ['src/api', 'src/chat', 'src/compare', 'src/evals', 'src/insert', 'src/model', 'src/shared'],
  'src/vscode': belowVscode,
  'src/vscode/host': ['src/api', 'src/chat', 'src/shared'],
  ...Object.fromEntries(areaRooms),
  webview: ['src/shared'],
  'webview/chart': ['src/shared'],
  'webview/grid': ['src/shared', 'webview/menu', 'webview/ui'],
  'webview/markdown': ['src/shared'],
};

const isInside = (path, folder) => path === folder || path.startsWith(`${folder}/`);

/** @returns the reason why a file may not import a module; undefined if it may */
function importProblem(file, specifier, kind) {
  const room = Object.keys(rooms)
    .filter((each) => isInside(file, each))
    .sort((a, b) => b.length - a.length)[0];
  if (room === undefined) return undefined;
  if (specifier.startsWith('.')) {
    const target = relative(import.meta.dirname, resolve(dirname(file), specifier)).replaceAll('\\', '/');
    if (!/^(src|webview)\//.test(target) || [room, ...rooms[room]].some((each) => isInside(target, each)))
      return undefined;
    return `${room} may import ${rooms[room].length > 0 ? rooms[room].join(', ') : 'nothing'}.`;
  }
  const isIn = (...folders) => folders.some((folder) => isInside(file, folder));
  if (specifier === 'vscode' && !isIn('src/vscode'))
    return 'Only src/vscode and src/extension.ts use the API of VS Code.';
  if (/^react(-dom)?(\/|$)/.test(specifier)) return 'The pages use Preact.';
  if (!isBuiltin(specifier) || kind === 'type' || isIn('src/cli', 'src/vscode', 'webview')) return undefined;
  return kind === 'dynamic' && isIn('src/chat') ? undefined : `${room} also runs in browsers.`;
}

const importRule = {
  meta: { type: 'problem' },
  create(context) {
    const file = relative(import.meta.dirname, context.filename).replaceAll('\\', '/');
    const check = (kind) => (node) => {
      const source = node.source ?? node.argument?.literal;
      const problem =
        typeof source?.value === 'string' &&
        importProblem(file, source.value, node.importKind === 'type' || node.exportKind === 'type' ? 'type' : kind);
      if (problem) context.report({ node: source, message: problem });
    };
    return {
      ImportDeclaration: check('value'),
      ExportNamedDeclaration: check('value'),
      ExportAllDeclaration: check('value'),
      ImportExpression: check('dynamic'),
      TSImportType: check('type'),
    };
  },
};

/** These APIs turn text into links and icons; the wrappers show text from outside as plain text. */
const rendersText =
  '/^(show(Information|Warning|Error)Message|showInputBox|showQuickPick|createInputBox|createQuickPick|withProgress|setStatusBarMessage|createStatusBarItem|createTreeView|registerTreeDataProvider)$/';
const textRule = {
  files: ['src/vscode/**/*.ts', 'src/extension.ts'],
  ignores: ['src/vscode/host/notify.ts', 'src/vscode/host/quickPick.ts'],
  rules: {
    'no-restricted-syntax': [
      'error',
      ...[`MemberExpression[property.name=${rendersText}]`, `ObjectPattern > Property[key.name=${rendersText}]`].map(
        (selector) => ({ selector, message: 'Use src/vscode/host/notify.ts or quickPick.ts: they show text as text.' }),
      ),
      {
        selector:
          ':matches(NewExpression[callee.property.name="MarkdownString"], [property.name=/^append(Markdown|Text)$/])',
        message: 'Use src/vscode/host/notify.ts: it makes no links.',
      },
    ],
  },
};

export default tseslint.config(
  { ignores: ['dist', 'out', '.vscode-test', 'node_modules', 'test/fixtures/**'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
  {
    files: ['src/**/*.ts', 'webview/**/*.{ts,tsx}'],
    plugins: { rooms: { rules: { imports: importRule } } },
    rules: { 'rooms/imports': 'error' },
  },
  textRule,
  {
    files: ['webview/conversation/**/*.tsx', 'webview/studio/**/*.tsx'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['**/app/host.ts'], importNames: ['post'], message: 'Use `usePost`: pages show several threads.' },
          ],
        },
      ],
    },
  },
);
