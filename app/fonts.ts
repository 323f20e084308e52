import localFont from 'next/font/local';

// The fonts are split by character range. Unsplit fonts would add 140 KB to every first visit.

/** Western European letters and common symbols. The browser preloads this font. */
export const sans = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-geist-sans',
});

export const mono = localFont({
  src: '../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-geist-mono',
});

/**
 * Other Latin letters, such as Czech or Polish ones, loaded when a page contains them. Must precede `sans` in the font
 * list.
 */
export const sansExtended = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-geist-extended',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-0130,U+0132-0151,U+0154-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+20A0-20AB,U+20AD-20C0,U+2C60-2C7F,U+A720-A7FF',
    },
  ],
});

export const sansCyrillic = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-cyrillic-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-geist-cyrillic',
  preload: false,
  adjustFontFallback: false,
  declarations: [{ prop: 'unicode-range', value: 'U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116' }],
});
