'use client';

import { createStoredValue, useBrowserStore, useStoredValue } from '@/lib/browser/storage/stored-value';
import { useCallback } from 'react';

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = 'turnpike.theme';

const themeStore = createStoredValue<Theme>({
  key: STORAGE_KEY,
  initial: 'system',
  parse: (stored) => THEMES.find((theme) => theme === stored) ?? null,
});

/** Returns the chosen theme, the theme that it resolves to on this device, and a setter. */
export function useTheme(): { theme: Theme; resolvedTheme: 'light' | 'dark'; setTheme: (theme: Theme) => void } {
  const theme = useStoredValue(themeStore);
  const prefersDark = useMediaQuery('(prefers-color-scheme: dark)');
  const resolvedTheme = theme === 'system' ? (prefersDark ? 'dark' : 'light') : theme;
  return { theme, resolvedTheme, setTheme };
}

export function setTheme(theme: Theme): void {
  themeStore.set(theme);
  document.documentElement.dataset.theme = theme;
}

function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useBrowserStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}
