/** View types of the editor tabs, which VS Code uses to restore them. */
export const PANEL_TYPE = 'analyticsChat.thread';
export const COMPARE_TYPE = 'analyticsChat.compare';
export const RESULTS_TYPE = 'analyticsChat.results';
