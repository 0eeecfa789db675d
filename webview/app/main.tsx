/** Entry point of the chat view. */
import { render } from 'preact';
import { App } from './App.tsx';
import { post } from './host.ts';
import { keepFocus } from '../ui/keepFocus.ts';
import { start, type ViewState } from './store.ts';
import { takeOver } from './takeOver.ts';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';

window.addEventListener('error', ({ message }) => post({ type: 'problem', text: message }));
window.addEventListener('unhandledrejection', ({ reason }) => post({ type: 'problem', text: String(reason) }));

window.addEventListener('focus', () => post({ type: 'focused' }));
// The page may have received the focus before this code was loaded.
if (document.hasFocus()) post({ type: 'focused' });

const root = document.getElementById('root');
if (root) {
  keepFocus(root);
  const draw = (state: ViewState): void => render(<App state={state} />, root);
  let isFirst = true;
  start((state) => {
    if (isFirst) takeOver(root, state, draw);
    else draw(state);
    isFirst = false;
  });
}
