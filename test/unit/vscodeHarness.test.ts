import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { chromiumPath } from '../vscode/chromium.ts';
import { exec } from '../vscode/exec.ts';
import { openDevelopmentGate } from '../vscode/install.ts';
import { withLock } from '../vscode/lock.ts';
import { editorUrl } from '../vscode/page.ts';
import { webHostSettings } from '../vscode/webHost.ts';

describe('the VS Code test harness', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'harness-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('puts token, workspace, extensions and tests into the URL', () => {
    const url = new URL(
      editorUrl(
        { authority: '127.0.0.1:80', token: 'secret' },
        { workspace: '/a b', extensions: ['/x', '/y z'], tests: '/x/out/t.js' },
      ),
    );
    assert.equal(url.searchParams.get('tkn'), 'secret');
    assert.equal(url.searchParams.get('folder'), '/a b');
    assert.deepEqual(JSON.parse(url.searchParams.get('payload') ?? ''), [
      ['extensionDevelopmentPath', 'vscode-remote://127.0.0.1:80/x'],
      ['extensionDevelopmentPath', 'vscode-remote://127.0.0.1:80/y%20z'],
      ['extensionTestsPath', 'vscode-remote://127.0.0.1:80/x/out/t.js'],
    ]);
  });

  it('opens a workspace file as a workspace, and an empty window by default', () => {
    const open = (workspace?: string) =>
      new URL(editorUrl({ authority: 'h:1', token: '' }, { workspace, extensions: [] })).searchParams;
    assert.equal(open('/w/all.code-workspace').get('workspace'), '/w/all.code-workspace');
    assert.equal(open().get('ew'), 'true');
  });

  it('lets only one of two processes work at a time', async () => {
    const lock = join(folder, 'lock');
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const one = withLock(lock, assert.fail, async () => {
      order.push('first begins');
      await first.promise;
      order.push('first ends');
    });
    const two = withLock(lock, first.resolve, async () => order.push('second'));
    await Promise.all([one, two]);
    assert.deepEqual(order, ['first begins', 'first ends', 'second']);
    assert.equal(existsSync(lock), false);
  });

  it('takes over a stale lock', async () => {
    const lock = join(folder, 'lock');
    writeFileSync(lock, '');
    const anHourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(lock, anHourAgo, anHourAgo);
    assert.equal(
      await withLock(
        lock,
        () => undefined,
        async () => 'done',
      ),
      'done',
    );
  });

  it('reports why a program failed', async () => {
    const script = 'console.error("no such thing"); process.exit(3)';
    await assert.rejects(exec(process.execPath, ['-e', script]), /ended with 3\nno such thing/);
  });

  it('rejects a version of VS Code without the expected code to patch', () => {
    const script = join(folder, 'workbench.js');
    writeFileSync(script, 'if(this.payload&&(!this.isBuilt||this.enableSmokeTestDriver))for(;;);');
    openDevelopmentGate(script);
    assert.equal(readFileSync(script, 'utf8'), 'if(this.payload)for(;;);');
    assert.throws(() => openDevelopmentGate(script), /not as expected/);
  });

  it('selects the web worker host for an extension by its identifier', () => {
    writeFileSync(join(folder, 'package.json'), '{"publisher": "p", "name": "n"}');
    assert.deepEqual(webHostSettings([folder]), { 'remote.extensionKind': { 'p.n': ['web'] } });
  });

  it('reports a CHROMIUM_PATH that names no program', () => {
    const before = process.env['CHROMIUM_PATH'];
    process.env['CHROMIUM_PATH'] = join(folder, 'missing');
    try {
      assert.throws(chromiumPath, /CHROMIUM_PATH names .*missing/);
    } finally {
      if (before === undefined) {
        delete process.env['CHROMIUM_PATH'];
      } else {
        process.env['CHROMIUM_PATH'] = before;
      }
    }
  });
});
