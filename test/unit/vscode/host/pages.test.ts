/** Permissions of the webviews' pages: only their own scripts and images. */
import assert from 'node:assert/strict';
import { compileFunction } from 'node:vm';
import { before, describe, it } from 'mocha';
import { loadWithEditor } from '../support.ts';

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
const root = 'https://webview.example/extension/dist/webview';

/** The files whose loading the page's script starts. */
const codeOf = (page: string): unknown => JSON.parse(/const code = (\[.*\]);/.exec(page)?.[1] ?? '');

interface Pages {
  pageFor(webview: object, extension: string, entry: string, sendKey?: string): string;
  showPage(webview: object, extension: string, entry: string): void;
  holdMessages(webview: object): () => unknown;
}

function policyOf(page: string): Map<string, string[]> {
  const content = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
  const plain = content.replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)));
  return new Map(plain.split('; ').map((directive) => [directive.split(' ')[0] ?? '', directive.split(' ').slice(1)]));
}

describe('a webview page', () => {
  let { pageFor, showPage, holdMessages } = {} as Pages;
  before(
    async () => ({ pageFor, showPage, holdMessages } = await loadWithEditor<Pages>('vscode/host/html.ts', editor)),
  );

  it('can load files of its own folder only, and submit no forms', () => {
    const page = { ...webview, html: '', options: {} };
    showPage(page, 'extension', 'main');
    const localResourceRoots = ['extension/dist/webview'];
    assert.deepEqual(page.options, { enableScripts: true, enableForms: false, localResourceRoots });
    assert.match(
      page.html,
      /^<!DOCTYPE html>\n<html lang="de&quot;&gt;&lt;script&gt;">[^]*<textarea [^>]*data-send-key="modEnter" aria-label="Message"/,
    );
    for (const entry of ['runs', 'results']) assert.doesNotMatch(pageFor(webview, 'extension', entry), /<textarea/);
    const odd = { ...webview, asWebviewUri: () => '</script>' };
    assert.equal(pageFor(odd, 'extension', 'main').match(/<\/script>/g)?.length, 1);
  });

  for (const entry of ['main', 'runs', 'results'])
    it(`allows ${entry} only its own scripts and images, none of which delays its \`load\` event`, () => {
      const page = pageFor(webview, 'extension', entry);
      const policy = policyOf(page);
      for (const name of ['default-src', 'base-uri', 'form-action'])
        assert.deepEqual(policy.get(name), ["'none'"], name);
      const [, nonce] = /^'nonce-(\w{20,})'$/.exec(policy.get('script-src')?.join(' ') ?? '') ?? [];
      assert.ok(nonce, 'scripts without a nonce');
      assert.ok(!pageFor(webview, 'extension', entry).includes(nonce), 'it is another one each time');
      assert.deepEqual(policy.get('img-src'), ['data:', 'blob:']);
      assert.deepEqual(policy.get('font-src'), [webview.cspSource]);
      // All other directives, such as those for workers, connections, frames and forms, fall back to 'none'.
      const known = ['default-src', 'base-uri', 'form-action', 'script-src', 'style-src', 'font-src', 'img-src'];
      assert.deepEqual([...policy.keys()], known);
      assert.doesNotMatch([...policy.values()].flat().join(' '), /unsafe|\*|http:/);
      assert.deepEqual(page.match(/<script[^>]*>/g), [`<script nonce="${nonce}">`]);
      const styleNonce = /^'nonce-(\w{20,})'$/.exec(policy.get('style-src')?.[1] ?? '')?.[1];
      assert.deepEqual(page.match(/<style[^>]*>/g), [`<style nonce="${styleNonce}">`]);
      assert.ok(page.includes(`<meta property="csp-nonce" content="${styleNonce}">`));
      assert.deepEqual(codeOf(page), [`${root}/${entry}.js`]);
      // VS Code shows the page only after that event.
      assert.doesNotMatch(page, /\son\w+=|javascript:|rel="stylesheet"/);
    });

  it('loads its entry file together with the chunks that the build lists', () => {
    const built = globalThis as { PAGE_CHUNKS?: Record<string, string[]> };
    built.PAGE_CHUNKS = { main: ['chunk-1.js', 'chunk-2.js'] };
    try {
      const files = ['main', 'chunk-1', 'chunk-2'].map((file) => `${root}/${file}.js`);
      assert.deepEqual(codeOf(pageFor(webview, 'extension', 'main')), files);
    } finally {
      delete built.PAGE_CHUNKS;
    }
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

  for (const [sendKey, modifiers, sending] of [
    ['enter', ['ctrlKey', 'metaKey', 'altKey', 'shiftKey'], [{}]],
    ['modEnter', [], [{ ctrlKey: true }, { metaKey: true }]],
  ] as const)
    it(`gives its field the focus once, and marks a message that is sent before its code is loaded: ${sendKey}`, () => {
      const done: string[] = [];
      const on: Record<string, [(event: object) => void, object?]> = {};
      const add = (name: string, ...listener: (typeof on)[string]): unknown => (on[name] = listener);
      const dataset: Record<string, string> = { sendKey };
      let [hasFocus, isLoading] = [false, true];
      const closest = (): boolean => isLoading;
      const field = { addEventListener: add, focus: () => done.push('focus'), dataset, closest };
      const body = {};
      const parts = { currentScript: { nonce: '' }, querySelector: () => field, hasFocus: () => hasFocus };
      const document = { ...parts, body, activeElement: body as object };
      const [, script = ''] = /<script[^>]*>([^]*)<\/script>/.exec(pageFor(webview, 'extension', 'main', sendKey))!;
      for (hasFocus of [false, true]) {
        (compileFunction(script, ['document', 'addEventListener']) as (...of: unknown[]) => void)(document, add);
        assert.deepEqual(done.splice(0), hasFocus ? ['focus'] : []);
      }
      for (document.activeElement of [body, field]) on['focus']![0]({});
      assert.deepEqual([done.splice(0), on['focus']![1]], [['focus'], { once: true }]);
      const isSent = (event: object): boolean => {
        delete dataset['sent'];
        const preventDefault = (): unknown => done.push('handled');
        on['keydown']![0]({ ...{ key: 'Enter', target: field, preventDefault }, ...event });
        return dataset['sent'] === '' && done.splice(0).length === 1;
      };
      for (const event of sending) assert.ok(isSent(event));
      for (const other of [{ key: 'a' }, { isComposing: true }, { keyCode: 229 }])
        assert.ok(!isSent({ ...sending[0], ...other }), JSON.stringify(other));
      for (const key of modifiers) assert.ok(!isSent({ [key]: true }), key);
      assert.equal(isSent({}), sendKey === 'enter');
      isLoading = false;
      assert.ok(!isSent(sending[0]));
    });
});
