/** Entry point of the results page. */
import { render } from 'preact';
import { Results } from './Results.tsx';
import { postResults, start } from './resultsState.ts';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';
import './results.css';

window.addEventListener('error', ({ message }) => postResults({ type: 'problem', text: message }));
window.addEventListener('unhandledrejection', ({ reason }) => postResults({ type: 'problem', text: String(reason) }));

const root = document.getElementById('root');
if (root) start((state) => render(<Results state={state} />, root));
