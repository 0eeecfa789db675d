/** The page of the grid tests. It records what the grid reports for the tests. */
import '@vscode/codicons/dist/codicon.css';
import { createGrid, type GridHandle, type GridInput } from '../../../webview/grid/createGrid.ts';

export interface GridPage {
  violations: string[];
  copied: string[];
  announced: string[];
  grid: GridHandle | undefined;
  /** Replaces the grid of the page. */
  show(input: GridInput): void;
}

declare global {
  interface Window {
    gridPage: GridPage;
  }
}

window.gridPage = {
  violations: [],
  copied: [],
  announced: [],
  grid: undefined,
  show(input) {
    this.grid?.dispose();
    this.copied = [];
    this.announced = [];
    this.grid = createGrid(document.querySelector('main')!, input, {
      onCopy: (text) => this.copied.push(text),
      onAnnounce: (text) => this.announced.push(text),
    });
  },
};
document.addEventListener('securitypolicyviolation', (event) => {
  window.gridPage.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});
