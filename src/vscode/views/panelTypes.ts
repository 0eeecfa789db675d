/** View types of the editor tabs; VS Code restores all but the last two by them. */
export const PANEL_TYPE = 'analyticsChat.thread';
export const COMPARE_TYPE = 'analyticsChat.compare';
export const RESULTS_TYPE = 'analyticsChat.results';
export const ANSWERS_TYPE = 'analyticsChat.answers';
export const EVERYONE_TYPE = 'analyticsChat.everyone';
