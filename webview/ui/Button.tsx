/** Buttons: with words, or with an icon and a name. The only file that knows the toolkit. */
import { provideVSCodeDesignSystem, vsCodeButton, type Button as ToolkitButton } from '@vscode/webview-ui-toolkit';
import type { ComponentChildren, HTMLAttributes } from 'preact';

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

/** The toolkit itself writes the attribute, which its styles go by, only a frame after the button may have been drawn. */
const showAppearance = (button: HTMLElement | null): void =>
  button?.setAttribute('appearance', (button as ToolkitButton).appearance);

interface ButtonProps {
  onClick: (event: MouseEvent) => void;
  appearance?: 'primary' | 'secondary';
  children: ComponentChildren;
}

export const Button = ({ onClick, appearance = 'secondary', children }: ButtonProps) => (
  <vscode-button ref={showAppearance} appearance={appearance} onClick={onClick}>
    {children}
  </vscode-button>
);

interface IconButtonProps {
  /** Codicon name. */
  icon: string;
  /** Accessible name, and the tooltip where none is given. */
  name: string;
  tooltip?: string;
  onClick: (event: MouseEvent) => void;
  disabled?: boolean;
  /** Where the button opens and closes something: whether it is open. */
  expanded?: boolean;
  class?: string;
}

export const IconButton = ({
  icon,
  name,
  tooltip = name,
  onClick,
  disabled = false,
  expanded,
  class: extra = '',
}: IconButtonProps) => (
  <vscode-button
    ref={showAppearance}
    appearance="icon"
    class={extra}
    aria-label={name}
    title={tooltip}
    disabled={disabled}
    aria-expanded={expanded}
    onClick={onClick}
  >
    <span class={`codicon codicon-${icon}`} aria-hidden="true" />
  </vscode-button>
);
