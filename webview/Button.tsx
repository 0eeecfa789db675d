/** Buttons: with words, or with an icon and a name. */
import type { ComponentChildren } from 'preact';
import './controls.ts';

interface ButtonProps {
  onClick: (event: MouseEvent) => void;
  appearance?: 'primary' | 'secondary';
  children: ComponentChildren;
}

export const Button = ({ onClick, appearance = 'secondary', children }: ButtonProps) => (
  <vscode-button appearance={appearance} onClick={onClick}>
    {children}
  </vscode-button>
);

interface IconButtonProps {
  /** Codicon name. */
  icon: string;
  /** Accessible name and tooltip. */
  name: string;
  onClick: (event: MouseEvent) => void;
  disabled?: boolean;
  class?: string;
}

export const IconButton = ({ icon, name, onClick, disabled = false, class: extra = '' }: IconButtonProps) => (
  <vscode-button appearance="icon" class={extra} aria-label={name} title={name} disabled={disabled} onClick={onClick}>
    <span class={`codicon codicon-${icon}`} aria-hidden="true" />
  </vscode-button>
);
