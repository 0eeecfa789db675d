/** Permissions of the webviews' pages: only their own scripts and images. */
import assert from 'node:assert/strict';
import { compileFunction } from 'node:vm';
import { before, describe, it } from 'mocha';
import { loadWithEditor } from '../../../support/withEditor.ts';

/** The part of VS Code's API that builds a page. */
const editor = {
  env: { language: 'de"><script>' },
  workspace: { getConfiguration: () => ({ get: (key: string) => (key === 'sendKey' ? 'modEnter' : undefined) }) },
  Uri: { joinPath: (base: string, ...parts: string[]) => [base, ...parts].join('/') },
};
const webview = {
  cspSource: 'https://webview.example',
  asWebviewUri: (uri: string) => `https://webview.example/${uri}`,
};
const entries = ['main', 'runs', 'results'];

const root = 'https://webview.example/extension/dist/webview';

/** The files whose loading the page's script starts. */
const codeOf = (page: string): unknown => JSON.parse(/const code = (\[.*\]);/.exec(page)?.[1] ?? '');

type PageFor = (webview: object, extension: string, entry: string, sendKey?: string) => string;
type ShowPage = (webview: object, extension: string, entry: string) => void;

function policyOf(page: string): Map<string, string[]> {
  const content = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
  const plain = content.replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)));
  return new Map(plain.split('; ').map((directive) => [directive.split(' ')[0] ?? '', directive.split(' ').slice(1)]));
}

describe('a webview page', () => {
  let pageFor: PageFor;
  let showPage: ShowPage;
  let holdMessages: (webview: object) => () => unknown;

  before(async () => {
    ({ pageFor, showPage, holdMessages } = await loadWithEditor<{
      pageFor: PageFor;
      showPage: ShowPage;
      holdMessages: typeof holdMessages;
    }>('vscode/host/html.ts', editor));
  });

  it('can load files of its own folder only, and submit no forms', () => {
    const page = { ...webview, html: '', options: {} };
    showPage(page, 'extension', 'main');
    const localResourceRoots = ['extension/dist/webview'];
    assert.deepEqual(page.options, { enableScripts: true, enableForms: false, localResourceRoots });
    assert.match(page.html, /<textarea [^>]*data-send-key="modEnter"/);
    for (const entry of ['runs', 'results']) assert.doesNotMatch(pageFor(webview, 'extension', entry), /<textarea/);
    const odd = { ...webview, asWebviewUri: () => '</script>' };
    assert.equal(pageFor(odd, 'extension', 'main').match(/<\/script>/g)?.length, 1);
  });

  for (const entry of entries)
    it(`allows ${entry} only its own scripts and images`, () => {
      const page = pageFor(webview, 'extension', entry);
      const policy = policyOf(page);
      for (const name of ['default-src', 'base-uri', 'form-action'])
        assert.deepEqual(policy.get(name), ["'none'"], name);
      const nonce = policy
        .get('script-src')
        ?.join(' ')
        .match(/^'nonce-(\w{20,})'$/)?.[1];
      assert.ok(nonce, 'scripts without a nonce');
      assert.deepEqual(policy.get('img-src'), ['data:', 'blob:']);
      assert.deepEqual(policy.get('font-src'), [webview.cspSource]);
      // All other directives, such as those for workers, connections, frames and forms, fall back to 'none'.
      const known = ['default-src', 'base-uri', 'form-action', 'script-src', 'style-src', 'font-src', 'img-src'];
      assert.deepEqual([...policy.keys()], known);
      assert.doesNotMatch([...policy.values()].flat().join(' '), /unsafe|\*|http:/);
      assert.deepEqual(page.match(/<script[^>]*>/g), [`<script nonce="${nonce}">`]);
      const styleNonce = /^'nonce-(\w{20,})'$/.exec(policy.get('style-src')?.[1] ?? '')?.[1];
      assert.deepEqual(page.match(/<style[^>]*>/g), [`<style nonce="${styleNonce}">`]);
      assert.deepEqual(codeOf(page), [`${root}/${entry}.js`]);
      assert.doesNotMatch(page, /\son\w+=|javascript:/);
    });

  it('loads its entry file together with the chunks that the build lists', () => {
    const built = globalThis as { PAGE_CHUNKS?: Record<string, string[]> };
    built.PAGE_CHUNKS = { main: ['chunk-1.js', 'chunk-2.js'] };
    try {
      const page = pageFor(webview, 'extension', 'main');
      assert.deepEqual(
        codeOf(page),
        ['main', 'chunk-1', 'chunk-2'].map((file) => `${root}/${file}.js`),
      );
    } finally {
      delete built.PAGE_CHUNKS;
    }
  });

  it('has no resource that delays its `load` event, for which VS Code waits before it shows the page', () => {
    const page = pageFor(webview, 'extension', 'main');
    assert.doesNotMatch(page, /<script[^>]* src=|rel="stylesheet"/);
  });

  it('keeps what it says until it is asked for that', () => {
    let say = (_message: unknown): unknown => undefined;
    let isHeard = true;
    const page = {
      onDidReceiveMessage: (listener: typeof say) => ((say = listener), { dispose: () => (isHeard = false) }),
    };
    const held = holdMessages(page);
    for (const message of ['one', 'two']) say(message);
    assert.deepEqual([held(), isHeard], [['one', 'two'], false]);
  });

  for (const [sendKey, ...sending] of [
    ['enter', {}],
    ['modEnter', { ctrlKey: true }, { metaKey: true }],
  ] as const)
    it(`gives the focus to its field once, and marks a message that is sent before its code is loaded: ${sendKey}`, () => {
      const page = pageFor(webview, 'extension', 'main', sendKey);
      const script = /<script[^>]*>([^]*)<\/script>/.exec(page)![1]!;
      let hasFocus = false;
      const on: Record<string, [(event: object) => void, object?]> = {};
      const add = (name: string, listener: (event: object) => void, how?: object): unknown =>
        (on[name] = [listener, how]);
      const done: string[] = [];
      const field = {
        ...{ addEventListener: add, focus: () => done.push('focus'), dataset: { sendKey } as Record<string, string> },
        closest: (selector: string) => (isLoading ? selector : null),
      };
      let isLoading = true;
      const document = {
        ...{ currentScript: { nonce: '' }, body: {}, querySelector: () => field, hasFocus: () => hasFocus },
        activeElement: {},
      };
      const run = compileFunction(script, ['document', 'addEventListener']) as (...of: unknown[]) => void;
      for (hasFocus of [false, true]) {
        document.activeElement = document.body;
        run(document, add);
        assert.deepEqual(done.splice(0), hasFocus ? ['focus'] : []);
      }
      const [takeFocus, how] = on['focus']!;
      for (document.activeElement of [document.body, field]) takeFocus({});
      assert.deepEqual([done, how], [['focus'], { once: true }]);
      const isSent = (event: object): boolean => {
        delete field.dataset['sent'];
        const keys = { key: 'Enter', keyCode: 13, shiftKey: false, altKey: false, ctrlKey: false, metaKey: false };
        on['keydown']![0]({ ...keys, target: field, preventDefault: () => done.push('handled'), ...event });
        return field.dataset['sent'] === '';
      };
      for (const event of sending) assert.ok(isSent(event));
      assert.equal(done.length, 1 + sending.length);
      const others = ['ctrlKey', 'metaKey', 'altKey', 'shiftKey'].map((key) => ({ [key]: true }));
      const unsent = sendKey === 'enter' ? others : [{ ctrlKey: false }];
      for (const event of [...unsent, { key: 'a' }, { isComposing: true }, { keyCode: 229 }])
        assert.ok(!isSent({ ...sending[0], ...event }), JSON.stringify(event));
      isLoading = false;
      assert.ok(!isSent(sending[0]));
    });

  it('has a new nonce each time', () => {
    const nonces = entries.map((entry) => policyOf(pageFor(webview, 'extension', entry)).get('script-src')?.[0]);
    assert.equal(new Set(nonces).size, entries.length);
  });
});
