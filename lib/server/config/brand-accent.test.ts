import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Accent, accentFaults, accentStyle, BACKGROUNDS, contrast } from './brand-accent';

const GOOD: Accent = {
  light: { fill: '#1b5fb0', text: '#1b5fb0' },
  dark: { fill: '#8ab8f5', text: '#8ab8f5' },
};

describe('accent colours', () => {
  it('have the contrast that WCAG defines', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#1b5fb0', '#1b5fb0')).toBe(1);
  });

  it('are checked against the backgrounds of the console', () => {
    const css = readFileSync(join(process.cwd(), 'app/globals.css'), 'utf8');
    const tokens = ['ground', 'surface', 'raised', 'hover'].map((name) =>
      new RegExp(`--color-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css)?.slice(1, 3),
    );
    expect(new Set(BACKGROUNDS.light)).toEqual(new Set(tokens.map((pair) => pair?.[0])));
    expect(new Set(BACKGROUNDS.dark)).toEqual(new Set(tokens.map((pair) => pair?.[1])));
  });

  it('pass if text in them is readable in both themes', () => expect(accentFaults(GOOD)).toEqual([]));

  it('fail by theme, with the ratio and the background', () => {
    const faults = accentFaults({
      light: { fill: '#f2a31b', text: '#f2a31b' },
      dark: { fill: '#333333', text: '#333333' },
    });
    expect(faults.map(({ theme }) => theme)).toEqual(['light', 'dark']);
    expect(faults[0]?.fault).toMatch(
      /#f2a31b.*1\.\d\d:1 on #\w{6} of the light theme: expected at least 4\.5:1.*darker/,
    );
    expect(faults[1]?.fault).toMatch(/lighter/);
  });

  it('set every accent token that the console has', () => {
    const css = readFileSync(join(process.cwd(), 'app/globals.css'), 'utf8');
    const named = new Set(css.match(/--color-(?:amber[\w-]*|selection)(?=:)/g));
    expect(new Set(accentStyle(GOOD).match(/--color-[\w-]+(?=:)/g))).toEqual(named);
  });

  it.each(['#000000', '#ffffff', '#777777', '#ff0000', '#00ff00', '#0000ff', '#757575', '#f2a31b'])(
    'give buttons of %s a label that is readable, also while hovered',
    (fill) => {
      const style = accentStyle({ light: { fill, text: fill }, dark: { fill, text: fill } });
      const colorOf = (token: string) => new RegExp(`${token}:light-dark\\((#\\w{6})`).exec(style)?.[1] ?? '';
      for (const background of ['--color-amber', '--color-amber-hover'])
        expect(contrast(colorOf('--color-amber-on'), colorOf(background))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('are CSS of colours alone', () =>
    expect(accentStyle(GOOD)).toMatch(/^:root\{(?:--color-[a-z-]+:light-dark\(#\w{6},#\w{6}\);?)+\}$/));
});
