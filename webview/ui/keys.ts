/** Keyboard helpers: the platform's modifier keys and input methods. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** @returns whether an input method handles the key, for example Enter to choose a candidate */
export const isComposing = ({ isComposing: composes, keyCode }: KeyboardEvent): boolean => composes || keyCode === 229;
