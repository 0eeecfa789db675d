/** Keys as the system of the user has them. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** @returns whether an input method composes, for which Enter chooses a candidate: the key is not for the page */
export const isComposing = ({ isComposing: composes, keyCode }: KeyboardEvent): boolean => composes || keyCode === 229;
