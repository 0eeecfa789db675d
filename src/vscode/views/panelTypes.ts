/** The types of editor tabs, by which VS Code brings them back after a restart. */
export const PANEL_TYPE = 'analyticsChat.thread';
export const COMPARE_TYPE = 'analyticsChat.compare';
export const RESULTS_TYPE = 'analyticsChat.results';
