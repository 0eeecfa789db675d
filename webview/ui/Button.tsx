/** Text buttons and icon buttons. The only module that uses the webview UI toolkit. */
import { Icon } from './Icon.tsx';
import { provideVSCodeDesignSystem, vsCodeButton, type Button as ToolkitButton } from '@vscode/webview-ui-toolkit';
import type { ComponentChildren, HTMLAttributes, TargetedMouseEvent } from 'preact';

provideVSCodeDesignSystem().register(vsCodeButton());
// The toolkit reads the theme's colors at the `load` event, before which the pages load no code.
if (document.readyState === 'complete') window.dispatchEvent(new Event('load'));

interface ButtonAttributes extends HTMLAttributes<HTMLElement> {
  appearance?: 'primary' | 'secondary' | 'icon';
  disabled?: boolean;
  // The toolkit passes these properties to its inner button, which screen readers see, but not the attributes.
  ariaExpanded?: string | undefined;
  ariaHaspopup?: 'menu' | undefined;
}

declare module 'preact' {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': ButtonAttributes;
    }
  }
}

/** Sets the attribute that the toolkit's styles select on: the toolkit sets it one frame late. */
const showAppearance = (button: HTMLElement | null): void =>
  button?.setAttribute('appearance', (button as ToolkitButton).appearance);

interface ButtonProps {
  onClick: () => void;
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
  /** Accessible name, and the default tooltip. */
  name: string;
  tooltip?: string;
  onClick: (event: TargetedMouseEvent<HTMLElement>) => void;
  disabled?: boolean;
  /** Whether the element that the button toggles is open; omitted for other buttons. */
  expanded?: boolean;
  /** Whether the button opens a menu. */
  hasMenu?: boolean;
  class?: string;
}

export const IconButton = ({
  icon,
  name,
  tooltip = name,
  onClick,
  disabled = false,
  expanded,
  hasMenu = false,
  class: extra = '',
}: IconButtonProps) => (
  <vscode-button
    ref={showAppearance}
    appearance="icon"
    class={extra}
    aria-label={name}
    title={tooltip}
    disabled={disabled}
    ariaExpanded={expanded?.toString()}
    ariaHaspopup={hasMenu ? 'menu' : undefined}
    onClick={onClick}
  >
    <Icon icon={icon} />
  </vscode-button>
);
