/* global document, window */
/** The peers, each set up as its documentation says. Bundled by the benchmark with the packages it installs. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Streamdown } from 'streamdown';
import { IncremarkContent } from '@incremark/react';
import * as smd from 'streaming-markdown';
import { marked } from 'marked';
import MarkdownIt from 'markdown-it';
import DOMPurify from 'dompurify';

/** Renders with React, painted in the same frame. */
function react(container, element) {
  const root = createRoot(container);
  return {
    update: (text, settled) => flushSync(() => root.render(element(text, settled))),
  };
}

const remarkPlugins = [remarkGfm];

const peers = {
  'react-markdown': (container) => react(container, (text) => createElement(ReactMarkdown, { remarkPlugins }, text)),
  streamdown: (container) =>
    react(container, (text, settled) =>
      createElement(Streamdown, { isAnimating: !settled, parseIncompleteMarkdown: true }, text),
    ),
  incremark: (container) =>
    react(container, (content, isFinished) => createElement(IncremarkContent, { content, isFinished })),
  'markdown-it + DOMPurify': (container) => {
    const md = new MarkdownIt();
    return { update: (text) => (container.innerHTML = DOMPurify.sanitize(md.render(text))) };
  },
  'marked, memo blocks': (container) => {
    const shown = [];
    return {
      update(text) {
        const blocks = marked.lexer(text);
        for (const [index, { raw }] of blocks.entries()) {
          if (shown[index]?.raw === raw) continue;
          const element = shown[index]?.element ?? container.appendChild(document.createElement('div'));
          element.innerHTML = DOMPurify.sanitize(marked.parse(raw));
          shown[index] = { raw, element };
        }
      },
    };
  },
  'streaming-markdown': (container) => {
    const parser = smd.parser(smd.default_renderer(container));
    let length = 0;
    return {
      update(text, settled) {
        smd.parser_write(parser, text.slice(length));
        length = text.length;
        if (settled) smd.parser_end(parser);
      },
    };
  },
};

Object.assign(window.renderers, peers);
