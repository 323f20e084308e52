import { z } from 'zod';
import { BRAND_NAME, type Brand, brandNamed, DEFAULT_BRAND } from '@/lib/protocol/brand';
import { SIGN_IN_STATEMENT_FORM } from '@/lib/protocol/sign-in/message';
import { accentFaults, type Accent, accentStyle } from './brand-accent';
import { type SvgImage, readSvg } from './brand-svg';
import type { Faults } from './faults';
import { isHttpUrl } from './fields';

const STATEMENT_LENGTH_MAX = 200;
const URL_LENGTH_MAX = 500;

const link = z.string().max(URL_LENGTH_MAX).refine(isHttpUrl, 'Must be an http:// or https:// URL').optional();
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Must be a colour such as #1b5fb0');
const themeAccent = z.strictObject({
  fill: color.describe('Background of the main buttons'),
  text: color
    .optional()
    .describe('Text and icons in the accent colour; by default the fill. Needs a contrast of 4.5:1 on the backgrounds'),
});
const svgFile = z.string().min(1).optional();

export const brandSchema = z.strictObject({
  name: z
    .string()
    .regex(BRAND_NAME, "Must be 1 to 32 letters, digits, spaces and . & ' + -, and begin with a letter or digit")
    .default(DEFAULT_BRAND.name)
    .describe('Name of the gateway in the console, in API documents, in 402 answers and in sign-ins'),
  signInStatement: z
    .string()
    .max(STATEMENT_LENGTH_MAX)
    .regex(SIGN_IN_STATEMENT_FORM, 'Must be printable ASCII without " < > % \\ ^ ` { | }')
    .optional()
    .describe('Statement that wallets sign when they sign in; by default "Sign in to" and the name'),
  logo: svgFile.describe('SVG file of the mark beside the name. The gateway reads it when it starts'),
  icon: svgFile.describe('SVG file of the icon in browser tabs and wallets; by default the logo'),
  accent: z
    .strictObject({ light: themeAccent, dark: themeAccent })
    .optional()
    .describe('Accent colours of the console, by theme; amber by default'),
  links: z
    .strictObject({
      terms: link.describe('Terms of service'),
      privacy: link.describe('Privacy policy'),
      support: link.describe('Help for customers'),
      status: link.describe('Status page'),
    })
    .prefault({})
    .describe('Pages of the operator, which the console and the API documents link'),
});

export interface BrandConfig extends Brand {
  logo: SvgImage | null;
  icon: SvgImage | null;
  /** CSS that replaces the console's accent colours; null if none. */
  style: string | null;
}

export function brandOf(
  { name, signInStatement, logo, icon, accent, links }: z.output<typeof brandSchema>,
  cwd: string,
  faults: Faults,
): BrandConfig {
  const mark = logo === undefined ? null : readSvg('brand.logo', logo, cwd, faults);
  return {
    ...brandNamed(name, { links, ...(signInStatement !== undefined && { signInStatement }) }),
    logo: mark,
    icon: icon === undefined ? mark : readSvg('brand.icon', icon, cwd, faults),
    style: accent === undefined ? null : styleOf(accent, faults),
  };
}

function styleOf({ light, dark }: NonNullable<z.output<typeof brandSchema>['accent']>, faults: Faults): string {
  const accent: Accent = {
    light: { fill: light.fill, text: light.text ?? light.fill },
    dark: { fill: dark.fill, text: dark.text ?? dark.fill },
  };
  for (const { theme, fault } of accentFaults(accent)) faults.set(`brand.accent.${theme}.text`, fault);
  return accentStyle(accent);
}
