/** The only file that knows the toolkit: basic controls, registered as custom elements. */
import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';
import type { HTMLAttributes } from 'preact';

provideVSCodeDesignSystem().register(vsCodeButton());

interface ButtonAttributes extends HTMLAttributes<HTMLElement> {
  appearance?: 'primary' | 'secondary' | 'icon';
  disabled?: boolean;
}

declare module 'preact' {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': ButtonAttributes;
    }
  }
}
