/** The styles that VS Code sets in webviews; `readThemes.ts` reads them from the editor. */
import json from './themes.json' with { type: 'json' };

export const themes: Record<'dark' | 'light' | 'contrast' | 'contrastLight', Record<string, string>> = json.themes;

/** VS Code's default styles of webviews, without the colors. */
export const { defaultStyles } = json;
