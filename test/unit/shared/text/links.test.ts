import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { allowedAddress } from '../../../../src/shared/text/plainText.ts';
import { anyText } from '../../../support/text.ts';

describe('URLs in answers', () => {
  it('may be http, https and mailto, in normalized form', () => {
    assert.equal(allowedAddress('https://example.com/a?b#c'), 'https://example.com/a?b#c');
    assert.equal(allowedAddress('HTTP://EXAMPLE.com'), 'http://example.com/');
    assert.equal(allowedAddress('mailto:me@example.com'), 'mailto:me@example.com');
    assert.equal(allowedAddress('https://b\u00fccher.example/'), 'https://xn--bcher-kva.example/');
  });

  for (const address of [
    ...['javascript:x', ' java\nscript:x', 'vscode://a.b/c', 'vscode-insiders:x', 'command:x', 'data:text/html,x'],
    ...['file:///etc/passwd', '//example.com', 'models/orders.yml', '#top', '', 'https:', 'blob:https://example.com/1'],
  ]) {
    it(`may not be ${JSON.stringify(address)}`, () => assert.equal(allowedAddress(address), undefined));
  }

  it('are never anything else, whatever the text', () => {
    const scheme = fc.constantFrom('http', 'https', 'mailto', 'HTTPS', 'javascript', 'file', 'command', 'vscode');
    const address = fc
      .tuple(scheme, fc.constantFrom(':', '://', ':/', '//'), fc.oneof(anyText(), fc.webAuthority()))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(anyText(), address), (text) => {
        assert.match(allowedAddress(text) ?? 'https://none', /^(https?|mailto):/);
      }),
    );
  });
});
