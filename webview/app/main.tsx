/** Entry point of the chat view. */
import { render } from 'preact';
import { App } from './App.tsx';
import { post } from './host.ts';
import { keepFocus } from '../ui/keepFocus.ts';
import { start } from './store.ts';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';

window.addEventListener('error', ({ message }) => post({ type: 'problem', text: message }));
window.addEventListener('unhandledrejection', ({ reason }) => post({ type: 'problem', text: String(reason) }));

window.addEventListener('focus', () => post({ type: 'focused' }));

const root = document.getElementById('root');
if (root) {
  keepFocus(root);
  start((state) => render(<App state={state} />, root));
}
