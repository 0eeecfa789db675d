/** The styles that VS Code sets in webviews; `readThemes.ts` reads them from the editor. */
import json from './themes.json' with { type: 'json' };

const NAMES = ['dark', 'light', 'contrast', 'contrastLight'] as const;
export type ThemeName = (typeof NAMES)[number];

/** The variables of each theme; a variable without a list has the same value in all of them. */
export const themes = Object.fromEntries(
  NAMES.map((theme, at) => [
    theme,
    Object.fromEntries(
      Object.entries(json.variables).flatMap(([name, values]) => {
        const value = typeof values === 'string' ? values : values[at];
        return value ? [[name, value]] : [];
      }),
    ),
  ]),
) as Record<ThemeName, Record<string, string>>;

/** VS Code's default styles of webviews, without the colors. */
export const { defaultStyles } = json;
