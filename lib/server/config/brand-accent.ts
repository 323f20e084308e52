type Theme = 'light' | 'dark';

/** Accent colours as `#rrggbb`. */
export type Accent = Record<Theme, { fill: string; text: string }>;

/** Backgrounds on which the console shows accent text, from app/globals.css. */
export const BACKGROUNDS: Record<Theme, readonly string[]> = {
  light: ['#ffffff', '#fafafa', '#f1f1f2'],
  dark: ['#0f0f10', '#151516', '#1b1b1d', '#232326'],
};

/** WCAG 2.2, success criterion 1.4.3. */
const CONTRAST_MIN = 4.5;

/** Returns the themes whose accent text has too little contrast on a background. */
export function accentFaults(accent: Accent): { theme: Theme; fault: string }[] {
  return (['light', 'dark'] as const).flatMap((theme) => {
    const { text } = accent[theme];
    const [weakest = '', ratio = 0] =
      [...BACKGROUNDS[theme], tintsOf(accent, theme).soft]
        .map((background): [string, number] => [background, contrast(text, background)])
        .sort(([, left], [, right]) => left - right)[0] ?? [];
    if (ratio >= CONTRAST_MIN) return [];
    const needed = theme === 'light' ? 'darker' : 'lighter';
    return [
      {
        theme,
        fault: `is ${text}, which has a contrast of ${ratio.toFixed(2)}:1 on ${weakest} of the ${theme} theme: expected at least ${CONTRAST_MIN}:1, such as a ${needed} colour`,
      },
    ];
  });
}

/** Returns CSS that sets the accent tokens of app/globals.css. */
export function accentStyle(accent: Accent): string {
  const [light, dark] = [tintsOf(accent, 'light'), tintsOf(accent, 'dark')];
  const both = (name: string, one: string, other: string): string => `${name}:light-dark(${one},${other})`;
  const tokens = [
    both('--color-amber', accent.light.fill, accent.dark.fill),
    both('--color-amber-hover', light.hover, dark.hover),
    both('--color-amber-on', light.on, dark.on),
    both('--color-amber-ink', accent.light.text, accent.dark.text),
    both('--color-amber-soft', light.soft, dark.soft),
    both('--color-amber-line', light.line, dark.line),
    both('--color-selection', light.line, dark.line),
  ];
  return `:root{${tokens.join(';')}}`;
}

interface Tints {
  /** Colour of text on the fill: black or white. One of them always has a contrast of at least 4.58:1. */
  on: string;
  hover: string;
  soft: string;
  line: string;
}

function tintsOf(accent: Accent, theme: Theme): Tints {
  const { fill } = accent[theme];
  const ground = BACKGROUNDS[theme][0] ?? '';
  const on = contrast('#000000', fill) >= contrast('#ffffff', fill) ? '#000000' : '#ffffff';
  return {
    on,
    // A fill with black text becomes lighter, and a fill with white text darker, so that hovering raises the contrast.
    hover: mixed(fill, on === '#000000' ? '#ffffff' : '#000000', 0.14),
    soft: mixed(ground, fill, 0.1),
    line: mixed(ground, fill, 0.4),
  };
}

/** Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((left, right) => right - left) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mixed(one: string, other: string, share: number): string {
  const others = channelsOf(other);
  const channels = channelsOf(one).map((value, index) =>
    Math.round(value + ((others[index] ?? 0) - value) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${channels.join('')}`;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
