import tseslint from 'typescript-eslint';

/** The rooms and what each may import; the paths are relative imports as written in the code. */
const rooms = {
  'src/shared': [],
  'src/api': ['shared'],
  'src/chat': ['api', 'shared'],
  'src/insert': ['shared'],
  'src/compare': ['shared'],
  'src/evals': ['chat', 'compare', 'shared'],
  'src/cli': ['api', 'chat', 'compare', 'evals', 'insert', 'shared'],
};
const allRooms = ['api', 'chat', 'cli', 'compare', 'evals', 'insert', 'shared', 'vscode'];

const nodeOnly = ['node:*', 'fs', 'path', 'os', 'http', 'https', 'net', 'child_process', 'crypto'];

function roomRule([room, allowed]) {
  const own = room.split('/')[1];
  const forbidden = allRooms.filter((other) => other !== own && !allowed.includes(other));
  const message = `${room} may import ${allowed.length > 0 ? allowed.join(', ') : 'nothing'}.`;
  // Files on disk exist only in Node processes and are loaded there on demand.
  const isNode = room === 'src/cli';
  const onDemand = room === 'src/chat' || isNode ? '' : '|^node:';
  return {
    files: [`${room}/**/*.ts`],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `ImportExpression[source.value=/^vscode$|\\u002F(${[...forbidden, 'webview'].join('|')})\\u002F${onDemand}/]`,
          message,
        },
      ],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'vscode', message: 'Only src/vscode and src/extension.ts talk to the editor.' }],
          patterns: [
            {
              group: [...forbidden.map((other) => `**/${other}/**`), '**/extension.ts', '**/webview/**'],
              message,
            },
            ...(isNode ? [] : [{ group: nodeOnly, allowTypeImports: true, message: `${room} runs in browsers too.` }]),
          ],
        },
      ],
    },
  };
}

/** These APIs turn text into links and icons; the wrappers show text from outside as plain text. */
const rendersText =
  '/^(show(Information|Warning|Error)Message|showInputBox|showQuickPick|createInputBox|createQuickPick|withProgress|setStatusBarMessage|createStatusBarItem|createTreeView|registerTreeDataProvider)$/';
const textRule = {
  files: ['src/vscode/**/*.ts', 'src/extension.ts'],
  ignores: ['src/vscode/host/notify.ts', 'src/vscode/host/quickPick.ts', 'src/vscode/host/markdown.ts'],
  rules: {
    'no-restricted-syntax': [
      'error',
      ...[`MemberExpression[property.name=${rendersText}]`, `ObjectPattern > Property[key.name=${rendersText}]`].map(
        (selector) => ({ selector, message: 'Use src/vscode/host/notify.ts or quickPick.ts: they show text as text.' }),
      ),
      {
        selector:
          ':matches(NewExpression[callee.property.name="MarkdownString"], [property.name=/^append(Markdown|Text)$/])',
        message: 'Use src/vscode/host/markdown.ts: it makes no links.',
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
  ...Object.entries(rooms).map(roomRule),
  textRule,
  {
    files: ['webview/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'vscode', message: 'The webview has no editor; send a message.' }],
          patterns: [
            {
              group: ['**/src/api/**', '**/src/chat/**', '**/src/insert/**', '**/src/vscode/**'],
              message: 'webview may import src/shared.',
            },
            { group: ['react', 'react-dom', 'react/*'], message: 'Preact only.' },
          ],
        },
      ],
    },
  },
);
